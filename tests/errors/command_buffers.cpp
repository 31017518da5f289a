// SPDX-License-Identifier: Apache-2.0
//
// cl_khr_command_buffer.
#include "errors.h"

namespace rivulet::test {
namespace {

class CommandBufferErrors : public Errors {
protected:
    void SetUp() override {
        Errors::SetUp();
        EXTENSION(clCreateCommandBufferKHR);
        EXTENSION(clFinalizeCommandBufferKHR);
        EXTENSION(clReleaseCommandBufferKHR);
        for (cl_command_buffer_khr *commands : {&recording, &finalized})
            *commands = released_later(clReleaseCommandBufferKHR,
                                       made(clCreateCommandBufferKHR, 1u, &queue, nullptr));
        ASSERT_EQ(clFinalizeCommandBufferKHR(finalized), CL_SUCCESS);
    }
    cl_mem image(cl_context in, cl_channel_type type = CL_UNSIGNED_INT8) {
        const cl_image_format format{CL_RGBA, type};
        cl_image_desc description{};
        description.image_type = CL_MEM_OBJECT_IMAGE2D;
        description.image_width = description.image_height = 8;
        return released_later(clReleaseMemObject,
                              made(clCreateImage, in, 0u, &format, &description, nullptr));
    }

    cl_command_buffer_khr recording = nullptr, finalized = nullptr;
    const cl_sync_point_khr unknown[1] = {77};
    cl_mutable_command_khr handle = nullptr;
    const size_t origin[3] = {}, far[3] = {4096, 0, 0}, region[3] = {4, 1, 1};
    const size_t aside[3] = {512, 0, 0};
};

// Checks common to all commands: the row's command is inserted between preceding and following
// code.
#define EXPECT_RECORDING_FAILS(function, ...)                                                      \
    EXPECT_FAILS(CL_INVALID_COMMAND_BUFFER_KHR, function, nullptr, nullptr, nullptr,               \
                 __VA_ARGS__ __VA_OPT__(, ) 0u, nullptr, nullptr, nullptr);                        \
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, function, recording, queue, nullptr,                    \
                 __VA_ARGS__ __VA_OPT__(, ) 0u, nullptr, nullptr, nullptr);                        \
    EXPECT_FAILS(CL_INVALID_OPERATION, function, finalized, nullptr, nullptr,                      \
                 __VA_ARGS__ __VA_OPT__(, ) 0u, nullptr, nullptr, nullptr);                        \
    EXPECT_FAILS(CL_INVALID_VALUE, function, recording, nullptr, nullptr,                          \
                 __VA_ARGS__ __VA_OPT__(, ) 0u, nullptr, nullptr, &handle);                        \
    EXPECT_FAILS(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, function, recording, nullptr, nullptr,       \
                 __VA_ARGS__ __VA_OPT__(, ) 1u, unknown, nullptr, nullptr)

TEST_F(CommandBufferErrors, OfTheBufferItself) {
    EXTENSION(clCreateCommandBufferKHR);
    EXTENSION(clFinalizeCommandBufferKHR);
    EXTENSION(clRetainCommandBufferKHR);
    EXTENSION(clReleaseCommandBufferKHR);
    EXTENSION(clEnqueueCommandBufferKHR);
    EXTENSION(clGetCommandBufferInfoKHR);
    const cl_command_queue none = nullptr;
    const cl_command_buffer_properties_khr unknown_flags[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 1u << 20,
                                                              0};
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clCreateCommandBufferKHR, 1u, &none, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateCommandBufferKHR, 2u, &queue, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateCommandBufferKHR, 1u, &queue, unknown_flags);
    EXPECT_FAILS(CL_INVALID_COMMAND_BUFFER_KHR, clFinalizeCommandBufferKHR, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clFinalizeCommandBufferKHR, finalized);
    EXPECT_FAILS(CL_INVALID_COMMAND_BUFFER_KHR, clRetainCommandBufferKHR, nullptr);
    EXPECT_FAILS(CL_INVALID_COMMAND_BUFFER_KHR, clReleaseCommandBufferKHR, nullptr);
    EXPECT_FAILS(CL_INVALID_COMMAND_BUFFER_KHR, clGetCommandBufferInfoKHR, nullptr,
                 CL_COMMAND_BUFFER_STATE_KHR, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetCommandBufferInfoKHR, finalized, nonsense, 0u, nullptr,
                 nullptr);
    cl_command_queue no_queue = nullptr;
    const cl_command_queue on_part = released_later(clReleaseCommandQueue, [&] {
        const cl_device_id part = sub_device();
        const cl_device_id both[] = {device, part};
        const cl_context whole = released_later(
            clReleaseContext, made(clCreateContext, nullptr, 2u, both, nullptr, nullptr));
        return made(clCreateCommandQueue, whole, part, 0u);
    }());
    cl_command_queue foreign = other_queue;
    EXPECT_FAILS(CL_INVALID_COMMAND_BUFFER_KHR, clEnqueueCommandBufferKHR, 0u, nullptr, nullptr, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueCommandBufferKHR, 0u, nullptr, recording, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueCommandBufferKHR, 1u, nullptr, finalized, 0u, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueCommandBufferKHR, 1u, &no_queue, finalized, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueCommandBufferKHR, 1u, &foreign, finalized, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueCommandBufferKHR, 0u, nullptr, finalized, 1u,
                 &other_event, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueCommandBufferKHR, 0u, nullptr, finalized, 1u,
                 nullptr, nullptr);
    // Made on one device of a context, enqueued on another one of it.
    cl_context whole = nullptr;
    cl_device_id first = nullptr;
    clGetCommandQueueInfo(on_part, CL_QUEUE_CONTEXT, sizeof whole, &whole, nullptr);
    clGetContextInfo(whole, CL_CONTEXT_DEVICES, sizeof first, &first, nullptr);
    cl_command_queue on_first =
        released_later(clReleaseCommandQueue, made(clCreateCommandQueue, whole, device, 0u));
    const cl_command_buffer_khr commands = released_later(
        clReleaseCommandBufferKHR, made(clCreateCommandBufferKHR, 1u, &on_part, nullptr));
    ASSERT_EQ(clFinalizeCommandBufferKHR(commands), CL_SUCCESS);
    EXPECT_FAILS(CL_INVALID_DEVICE, clEnqueueCommandBufferKHR, 1u, &on_first, commands, 0u, nullptr,
                 nullptr);
}

TEST_F(CommandBufferErrors, OfBarriersAndLaunches) {
    COMMAND(clCommandBarrierWithWaitListKHR);
    EXPECT_RECORDING_FAILS(clCommandBarrierWithWaitListKHR);
    COMMAND(clCommandNDRangeKernelKHR);
    const cl_kernel test = kernel();
    const size_t items = 16, uneven = 0;
    EXPECT_FAILS(CL_INVALID_KERNEL_ARGS, clCommandNDRangeKernelKHR, recording, nullptr, nullptr,
                 test, 1u, nullptr, &items, nullptr, 0u, nullptr, nullptr, nullptr);
    const cl_int value = 1;
    ASSERT_EQ(clSetKernelArg(test, 0, sizeof buffer, &buffer), CL_SUCCESS);
    ASSERT_EQ(clSetKernelArg(test, 1, sizeof value, &value), CL_SUCCESS);
    // Launches may have a handle, see OfRecording.
    EXPECT_FAILS(CL_INVALID_COMMAND_BUFFER_KHR, clCommandNDRangeKernelKHR, nullptr, nullptr,
                 nullptr, test, 1u, nullptr, &items, nullptr, 0u, nullptr, nullptr, &handle);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clCommandNDRangeKernelKHR, recording, queue, nullptr,
                 test, 1u, nullptr, &items, nullptr, 0u, nullptr, nullptr, &handle);
    EXPECT_FAILS(CL_INVALID_OPERATION, clCommandNDRangeKernelKHR, finalized, nullptr, nullptr, test,
                 1u, nullptr, &items, nullptr, 0u, nullptr, nullptr, &handle);
    EXPECT_FAILS(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, clCommandNDRangeKernelKHR, recording, nullptr,
                 nullptr, test, 1u, nullptr, &items, nullptr, 1u, unknown, nullptr, &handle);
    EXPECT_FAILS(CL_INVALID_KERNEL, clCommandNDRangeKernelKHR, recording, nullptr, nullptr, nullptr,
                 1u, nullptr, &items, nullptr, 0u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCommandNDRangeKernelKHR, recording, nullptr, nullptr,
                 kernel("kernel void test() {}", other_context), 1u, nullptr, &items, nullptr, 0u,
                 nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_WORK_DIMENSION, clCommandNDRangeKernelKHR, recording, nullptr, nullptr,
                 test, 4u, nullptr, &items, nullptr, 0u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_WORK_GROUP_SIZE, clCommandNDRangeKernelKHR, recording, nullptr, nullptr,
                 test, 1u, nullptr, &items, &uneven, 0u, nullptr, nullptr, nullptr);
    EXTENSION(clCreateCommandBufferKHR);
    EXTENSION(clReleaseCommandBufferKHR);
    Elsewhere other = elsewhere();
    const cl_command_buffer_khr there = released_later(
        clReleaseCommandBufferKHR, made(clCreateCommandBufferKHR, 1u, &other.queue, nullptr));
    EXPECT_FAILS(CL_INVALID_PROGRAM_EXECUTABLE, clCommandNDRangeKernelKHR, there, nullptr, nullptr,
                 other.kernel, 1u, nullptr, &items, nullptr, 0u, nullptr, nullptr, nullptr);
    const size_t huge = size_t{1} << 40;
    EXPECT_FAILS(CL_INVALID_GLOBAL_WORK_SIZE, clCommandNDRangeKernelKHR, recording, nullptr,
                 nullptr, test, 1u, nullptr, &huge, nullptr, 0u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_GLOBAL_OFFSET, clCommandNDRangeKernelKHR, recording, nullptr, nullptr,
                 test, 1u, &huge, &items, nullptr, 0u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_WORK_ITEM_SIZE, clCommandNDRangeKernelKHR, recording, nullptr, nullptr,
                 test, 1u, nullptr, &items, &huge, 0u, nullptr, nullptr, nullptr);
}

TEST_F(CommandBufferErrors, OfCopiesAndFillsOfBuffers) {
    COMMAND(clCommandCopyBufferKHR);
    EXPECT_RECORDING_FAILS(clCommandCopyBufferKHR, buffer, buffer, 0u, 512u, 4u);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clCommandCopyBufferKHR, recording, nullptr, nullptr,
                 nullptr, buffer, 0u, 0u, 4u, 0u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCommandCopyBufferKHR, recording, nullptr, nullptr,
                 other_buffer, buffer, 0u, 0u, 4u, 0u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCommandCopyBufferKHR, recording, nullptr, nullptr, buffer,
                 buffer, 0u, 1024u, 4u, 0u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_MEM_COPY_OVERLAP, clCommandCopyBufferKHR, recording, nullptr, nullptr, buffer,
                 buffer, 0u, 2u, 4u, 0u, nullptr, nullptr, nullptr);
    COMMAND(clCommandCopyBufferRectKHR);
    EXPECT_RECORDING_FAILS(clCommandCopyBufferRectKHR, buffer, buffer, origin, aside, region, 0u,
                           0u, 0u, 0u);
    EXPECT_FAILS(CL_MEM_COPY_OVERLAP, clCommandCopyBufferRectKHR, recording, nullptr, nullptr,
                 buffer, buffer, origin, origin, region, 0u, 0u, 0u, 0u, 0u, nullptr, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clCommandCopyBufferRectKHR, recording, nullptr, nullptr,
                 buffer, nullptr, origin, aside, region, 0u, 0u, 0u, 0u, 0u, nullptr, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCommandCopyBufferRectKHR, recording, nullptr, nullptr,
                 other_buffer, buffer, origin, aside, region, 0u, 0u, 0u, 0u, 0u, nullptr, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCommandCopyBufferRectKHR, recording, nullptr, nullptr, buffer,
                 buffer, origin, far, region, 0u, 0u, 0u, 0u, 0u, nullptr, nullptr, nullptr);
    COMMAND(clCommandFillBufferKHR);
    EXPECT_RECORDING_FAILS(clCommandFillBufferKHR, buffer, data, 4u, 0u, 64u);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clCommandFillBufferKHR, recording, nullptr, nullptr,
                 nullptr, data, 4u, 0u, 64u, 0u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCommandFillBufferKHR, recording, nullptr, nullptr,
                 other_buffer, data, 4u, 0u, 64u, 0u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCommandFillBufferKHR, recording, nullptr, nullptr, buffer,
                 data, 3u, 0u, 64u, 0u, nullptr, nullptr, nullptr);
}

TEST_F(CommandBufferErrors, OfCopiesAndFillsOfImages) {
    const cl_mem picture = image(context), foreign = image(other_context);
    COMMAND(clCommandCopyImageKHR);
    const size_t below[3] = {0, 4, 0};
    EXPECT_RECORDING_FAILS(clCommandCopyImageKHR, picture, picture, origin, below, region);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clCommandCopyImageKHR, recording, nullptr, nullptr, buffer,
                 picture, origin, below, region, 0u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_MEM_COPY_OVERLAP, clCommandCopyImageKHR, recording, nullptr, nullptr, picture,
                 picture, origin, origin, region, 0u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCommandCopyImageKHR, recording, nullptr, nullptr, picture,
                 foreign, origin, below, region, 0u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_IMAGE_FORMAT_MISMATCH, clCommandCopyImageKHR, recording, nullptr, nullptr,
                 picture, image(context, CL_SIGNED_INT8), origin, below, region, 0u, nullptr,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCommandCopyImageKHR, recording, nullptr, nullptr, picture,
                 picture, origin, far, region, 0u, nullptr, nullptr, nullptr);
    COMMAND(clCommandFillImageKHR);
    EXPECT_RECORDING_FAILS(clCommandFillImageKHR, picture, data, origin, region);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clCommandFillImageKHR, recording, nullptr, nullptr, buffer,
                 data, origin, region, 0u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCommandFillImageKHR, recording, nullptr, nullptr, foreign,
                 data, origin, region, 0u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCommandFillImageKHR, recording, nullptr, nullptr, picture,
                 nullptr, origin, region, 0u, nullptr, nullptr, nullptr);
    COMMAND(clCommandCopyImageToBufferKHR);
    EXPECT_RECORDING_FAILS(clCommandCopyImageToBufferKHR, picture, buffer, origin, region, 0u);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCommandCopyImageToBufferKHR, recording, nullptr, nullptr,
                 foreign, buffer, origin, region, 0u, 0u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clCommandCopyImageToBufferKHR, recording, nullptr, nullptr,
                 picture, nullptr, origin, region, 0u, 0u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCommandCopyImageToBufferKHR, recording, nullptr, nullptr,
                 picture, buffer, far, region, 0u, 0u, nullptr, nullptr, nullptr);
    COMMAND(clCommandCopyBufferToImageKHR);
    EXPECT_RECORDING_FAILS(clCommandCopyBufferToImageKHR, buffer, picture, 0u, origin, region);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCommandCopyBufferToImageKHR, recording, nullptr, nullptr,
                 buffer, foreign, 0u, origin, region, 0u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clCommandCopyBufferToImageKHR, recording, nullptr, nullptr,
                 nullptr, picture, 0u, origin, region, 0u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCommandCopyBufferToImageKHR, recording, nullptr, nullptr,
                 buffer, picture, 0u, far, region, 0u, nullptr, nullptr, nullptr);
}

TEST_F(CommandBufferErrors, OfSharedMemory) {
    COMMAND(clCommandSVMMemcpyKHR);
    COMMAND(clCommandSVMMemFillKHR);
    void *memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 1024, 0);
    if (memory == nullptr)
        GTEST_SKIP() << "the device has no shared virtual memory";
    EXPECT_RECORDING_FAILS(clCommandSVMMemcpyKHR, memory, data, 64u);
    EXPECT_FAILS(CL_MEM_COPY_OVERLAP, clCommandSVMMemcpyKHR, recording, nullptr, nullptr, memory,
                 memory, 64u, 0u, nullptr, nullptr, nullptr);
    EXPECT_RECORDING_FAILS(clCommandSVMMemFillKHR, memory, data, 4u, 64u);
    clSVMFree(context, memory);
}

} // namespace
} // namespace rivulet::test
