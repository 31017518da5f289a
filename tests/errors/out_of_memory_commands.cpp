// SPDX-License-Identifier: Apache-2.0
//
// A host without memory: commands, command buffers, shared memory.
#include "out_of_memory.h"
// This header comes last, because it uses the API version set by those before it.
#include "host-runtime/include/CL/cl_ext_rivulet.h"

/// A command of a command buffer, as version 0.9.8 has it.
#define COMMAND(name)                                                                              \
    const auto name =                                                                              \
        reinterpret_cast<name##_098_fn>(clGetExtensionFunctionAddressForPlatform(platform, #name))

namespace rivulet::test {
namespace {

TEST_F(OutOfHostMemory, EndsCommands) {
    refuse_command("read", [&](cl_event *ended) {
        return clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 1024, data, 0, nullptr, ended);
    });
    refuse_command("blocking write", [&](cl_event *ended) {
        return clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 1024, data, 0, nullptr, ended);
    });
    const size_t origin[3] = {}, region[3] = {16, 4, 2};
    refuse_command("rectangle", [&](cl_event *ended) {
        return clEnqueueReadBufferRect(queue, buffer, CL_TRUE, origin, origin, region, 0, 0, 0, 0,
                                       data, 0, nullptr, ended);
    });
    const cl_mem target = memory(0);
    refuse_command("copy", [&](cl_event *ended) {
        return clEnqueueCopyBuffer(queue, buffer, target, 0, 0, 1024, 0, nullptr, ended);
    });
    refuse_command("fill", [&](cl_event *ended) {
        return clEnqueueFillBuffer(queue, buffer, data, 4, 0, 1024, 0, nullptr, ended);
    });
    refuse_command("migration", [&](cl_event *ended) {
        return clEnqueueMigrateMemObjects(queue, 1, &buffer, 0, 0, nullptr, ended);
    });
    const auto create_semaphore = reinterpret_cast<clCreateSemaphoreWithPropertiesKHR_fn>(
        clGetExtensionFunctionAddressForPlatform(platform, "clCreateSemaphoreWithPropertiesKHR"));
    const auto signal = reinterpret_cast<clEnqueueSignalSemaphoresKHR_fn>(
        clGetExtensionFunctionAddressForPlatform(platform, "clEnqueueSignalSemaphoresKHR"));
    const auto wait = reinterpret_cast<clEnqueueWaitSemaphoresKHR_fn>(
        clGetExtensionFunctionAddressForPlatform(platform, "clEnqueueWaitSemaphoresKHR"));
    const auto release_semaphore = reinterpret_cast<clReleaseSemaphoreKHR_fn>(
        clGetExtensionFunctionAddressForPlatform(platform, "clReleaseSemaphoreKHR"));
    const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR,
                                                  CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    refuse_command("semaphore", [&](cl_event *ended) {
        cl_int code = CL_SUCCESS;
        const cl_semaphore_khr semaphore = create_semaphore(context, binary, &code);
        if (semaphore == nullptr)
            return code;
        code = signal(queue, 1, &semaphore, nullptr, 0, nullptr, nullptr);
        if (code == CL_SUCCESS)
            code = wait(queue, 1, &semaphore, nullptr, 0, nullptr, ended);
        EXPECT_EQ(release_semaphore(semaphore), CL_SUCCESS);
        return code;
    });
    refuse_command("marker", [&](cl_event *ended) {
        return clEnqueueMarkerWithWaitList(queue, 0, nullptr, ended);
    });
    refuse_command("barrier", [&](cl_event *ended) {
        return clEnqueueBarrierWithWaitList(queue, 0, nullptr, ended);
    });
    refuse_command("native kernel", [&](cl_event *ended) {
        const void *pointer = data;
        return clEnqueueNativeKernel(
            queue, [](void *) {}, data, 64, 1, &buffer, &pointer, 0, nullptr, ended);
    });
    const cl_kernel kernel = this->kernel();
    const cl_int value = 5;
    ASSERT_EQ(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), CL_SUCCESS);
    ASSERT_EQ(clSetKernelArg(kernel, 1, sizeof value, &value), CL_SUCCESS);
    const size_t items = 16;
    refuse_command("launch", [&](cl_event *ended) {
        return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                                      ended);
    });
    void *mapped = nullptr;
    refuse_each(
        "map",
        [&] {
            cl_int code = 1;
            mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, nullptr,
                                        nullptr, &code);
            return code;
        },
        [&] {
            EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr),
                      CL_SUCCESS);
        });
    mapped = nullptr;
    refuse_each(
        "unmap",
        [&] {
            const int left = std::exchange(allocations_left, -1);
            if (!mapped)
                mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, nullptr,
                                            nullptr, nullptr);
            allocations_left = left;
            return clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr);
        },
        [&] { mapped = nullptr; });
    cl_uint mappings = 1;
    EXPECT_EQ(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof mappings, &mappings, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(mappings, 0u);
    refuse_each("finish", [&] { return clFinish(queue); });
    refuse_each("callback", [&] {
        return clSetEventCallback(failed, CL_COMPLETE, [](cl_event, cl_int, void *) {}, nullptr);
    });
    EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 1024, data, 0, nullptr, nullptr),
              CL_SUCCESS);
}

TEST_F(OutOfHostMemory, EndsCommandBuffers) {
    EXTENSION(clCreateCommandBufferKHR);
    EXTENSION(clReleaseCommandBufferKHR);
    EXTENSION(clFinalizeCommandBufferKHR);
    EXTENSION(clEnqueueCommandBufferKHR);
    COMMAND(clCommandBarrierWithWaitListKHR);
    COMMAND(clCommandNDRangeKernelKHR);
    COMMAND(clCommandCopyBufferKHR);
    cl_command_buffer_khr commands = nullptr;
    const auto record = [&](const char *name, auto command) {
        commands = nullptr;
        refuse_each(name, [&] {
            const int left = std::exchange(allocations_left, -1);
            if (commands)
                EXPECT_EQ(clReleaseCommandBufferKHR(commands), CL_SUCCESS);
            commands = made(clCreateCommandBufferKHR, 1u, &queue, nullptr);
            allocations_left = left;
            return command();
        });
        released_later(clReleaseCommandBufferKHR, commands);
    };
    const auto launch = [&, kernel = kernel("kernel void test(global int *n) { ++*n; }")] {
        EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), CL_SUCCESS);
        constexpr size_t one = 1;
        return clCommandNDRangeKernelKHR(commands, nullptr, nullptr, kernel, 1, nullptr, &one,
                                         nullptr, 0, nullptr, nullptr, nullptr);
    };
    const auto barrier = [&] {
        return clCommandBarrierWithWaitListKHR(commands, nullptr, nullptr, 0, nullptr, nullptr,
                                               nullptr);
    };
    const auto copy = [&](size_t from, size_t to) {
        return clCommandCopyBufferKHR(commands, nullptr, nullptr, buffer, buffer, from, to, 4, 0,
                                      nullptr, nullptr, nullptr);
    };
    record("recorded barrier", barrier);
    record("recorded copy", [&] { return copy(0, 64); });
    record("recorded launch", launch);
    const auto record_rest = [&] {
        ASSERT_EQ(barrier(), CL_SUCCESS);
        ASSERT_EQ(copy(0, 64), CL_SUCCESS);
        ASSERT_EQ(launch(), CL_SUCCESS);
        ASSERT_EQ(clFinalizeCommandBufferKHR(commands), CL_SUCCESS);
    };
    record_rest();
    refuse_command("enqueue", [&](cl_event *ended) {
        return clEnqueueCommandBufferKHR(0, nullptr, commands, 0, nullptr, ended);
    });

    // The command buffer runs either completely or not at all: the counter is advanced by both
    // launches, or unchanged.
    const cl_command_queue unordered =
        released_later(clReleaseCommandQueue,
                       made(clCreateCommandQueue, context, device,
                            cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}));
    for (cl_command_queue used : {queue, unordered}) {
        if (used == unordered) { // a separate command buffer, whose launches are in order, too
            commands = released_later(clReleaseCommandBufferKHR,
                                      made(clCreateCommandBufferKHR, 1u, &used, nullptr));
            ASSERT_EQ(launch(), CL_SUCCESS);
            record_rest();
        }
        cl_int counter = 0;
        EXPECT_EQ(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4, &counter, 0, nullptr, nullptr),
                  CL_SUCCESS);
        cl_int expected = 0;
        refuse_each("all or nothing", [&] {
            const cl_int code = clEnqueueCommandBufferKHR(1, &used, commands, 0, nullptr, nullptr);
            const int left = std::exchange(allocations_left, -1);
            expected += code == CL_SUCCESS ? 2 : 0;
            EXPECT_EQ(clFinish(used), CL_SUCCESS);
            EXPECT_EQ(
                clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &counter, 0, nullptr, nullptr),
                CL_SUCCESS);
            EXPECT_EQ(counter, expected);
            allocations_left = left;
            return code;
        });
    }
}

TEST_F(OutOfHostMemory, EndsTransfersOfRectsAndImages) {
    const size_t origin[3] = {}, region[3] = {16, 4, 2}, aside[3] = {512, 0, 0};
    refuse_command("written rect", [&](cl_event *ended) {
        return clEnqueueWriteBufferRect(queue, buffer, CL_FALSE, origin, origin, region, 0, 0, 0, 0,
                                        data, 0, nullptr, ended);
    });
    refuse_command("copied rect", [&](cl_event *ended) {
        return clEnqueueCopyBufferRect(queue, buffer, buffer, origin, aside, region, 0, 0, 0, 0, 0,
                                       nullptr, ended);
    });
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = shape.image_height = 8;
    const auto image = [&] {
        return released_later(clReleaseMemObject, made(clCreateImage, context, cl_mem_flags{},
                                                       &format, &shape, nullptr));
    };
    const cl_mem from = image(), to = image();
    const size_t texels[3] = {8, 8, 1};
    const cl_uint color[4] = {1, 2, 3, 4};
    refuse_command("filled image", [&](cl_event *ended) {
        return clEnqueueFillImage(queue, from, color, origin, texels, 0, nullptr, ended);
    });
    refuse_command("written image", [&](cl_event *ended) {
        return clEnqueueWriteImage(queue, from, CL_FALSE, origin, texels, 0, 0, data, 0, nullptr,
                                   ended);
    });
    refuse_command("read image", [&](cl_event *ended) {
        return clEnqueueReadImage(queue, from, CL_TRUE, origin, texels, 0, 0, data, 0, nullptr,
                                  ended);
    });
    refuse_command("copied image", [&](cl_event *ended) {
        return clEnqueueCopyImage(queue, from, to, origin, origin, texels, 0, nullptr, ended);
    });
    refuse_command("image to buffer", [&](cl_event *ended) {
        return clEnqueueCopyImageToBuffer(queue, from, buffer, origin, texels, 0, 0, nullptr,
                                          ended);
    });
    refuse_command("buffer to image", [&](cl_event *ended) {
        return clEnqueueCopyBufferToImage(queue, buffer, to, 0, origin, texels, 0, nullptr, ended);
    });
    void *mapped = nullptr;
    size_t pitch = 0;
    refuse_each(
        "mapped image",
        [&] {
            cl_int code = 1;
            mapped = clEnqueueMapImage(queue, from, CL_TRUE, CL_MAP_READ, origin, texels, &pitch,
                                       nullptr, 0, nullptr, nullptr, &code);
            return code;
        },
        [&] {
            EXPECT_EQ(clEnqueueUnmapMemObject(queue, from, mapped, 0, nullptr, nullptr),
                      CL_SUCCESS);
        });
}

TEST_F(OutOfHostMemory, EndsSharedMemory) {
    cl_device_svm_capabilities there = 0;
    clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof there, &there, nullptr);
    if (there == 0)
        GTEST_SKIP() << "the device has no shared virtual memory";
    constexpr size_t bytes = 1024;
    void *made_pointer = nullptr;
    refuse_each(
        "SVM",
        [&] {
            made_pointer = clSVMAlloc(context, CL_MEM_READ_WRITE, bytes, 0);
            return made_pointer ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY; // 5.6.1: no other sign
        },
        [&] { clSVMFree(context, made_pointer); });
    EXTENSION(clSharedMemAllocINTEL);
    EXTENSION(clMemBlockingFreeINTEL);
    EXTENSION(clEnqueueMemcpyINTEL);
    EXTENSION(clEnqueueMemFillINTEL);
    EXTENSION(clSetKernelArgMemPointerINTEL);
    refuse_making(
        "USM",
        [&](cl_int *code) {
            return clSharedMemAllocINTEL(context, device, nullptr, bytes, 0, code);
        },
        [&](void *pointer) { return clMemBlockingFreeINTEL(context, pointer); });

    auto *memory = static_cast<std::byte *>(clSVMAlloc(context, CL_MEM_READ_WRITE, bytes, 0));
    ASSERT_NE(memory, nullptr);
    refuse_command("SVM copy", [&](cl_event *ended) {
        return clEnqueueSVMMemcpy(queue, CL_FALSE, memory, data, 512, 0, nullptr, ended);
    });
    refuse_command("USM copy", [&](cl_event *ended) {
        return clEnqueueMemcpyINTEL(queue, CL_TRUE, data, memory, 512, 0, nullptr, ended);
    });
    refuse_command("SVM fill", [&](cl_event *ended) {
        return clEnqueueSVMMemFill(queue, memory, data, 4, 64, 0, nullptr, ended);
    });
    refuse_command("USM fill", [&](cl_event *ended) {
        return clEnqueueMemFillINTEL(queue, memory, data, 4, 64, 0, nullptr, ended);
    });
    refuse_command("SVM map", [&](cl_event *ended) {
        return clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, memory, 64, 0, nullptr, ended);
    });
    refuse_command("SVM unmap", [&](cl_event *ended) {
        return clEnqueueSVMUnmap(queue, memory, 0, nullptr, ended);
    });
    const void *pointer = memory;
    refuse_command("SVM migration", [&](cl_event *ended) {
        return clEnqueueSVMMigrateMem(queue, 1, &pointer, nullptr, 0, 0, nullptr, ended);
    });
    const cl_kernel kernel = this->kernel();
    refuse_each("SVM argument", [&] { return clSetKernelArgSVMPointer(kernel, 0, memory); });
    refuse_each("USM argument", [&] { return clSetKernelArgMemPointerINTEL(kernel, 0, memory); });
    refuse_each("indirect pointers", [&] {
        return clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointer, &pointer);
    });
    // Memory that was to be freed and is not can be freed again.
    for (int count = 0; refused || count == 0; ++count) {
        void *freed[] = {clSVMAlloc(context, CL_MEM_READ_WRITE, bytes, 0)};
        allocations_left = count;
        refused = false;
        const cl_int code =
            clEnqueueSVMFree(queue, 1, freed, nullptr, nullptr, 0, nullptr, nullptr);
        allocations_left = -1;
        EXPECT_EQ(code, refused ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS);
        if (code != CL_SUCCESS)
            clSVMFree(context, freed[0]);
    }
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    clSVMFree(context, memory);
}

// The library's threads execute this for a command that no thread waits for.
TEST_F(OutOfHostMemory, EndsCommandsUnderWayAndNothingElse) {
    const size_t large = 1 << 20;
    const cl_mem from = memory(0, large), to = memory(0, large);
    const cl_kernel kernel = this->kernel("kernel void test() { printf(\"%s\", \"\"); }");
    const size_t items = 16;
    for (int count = 0;; ++count) {
        ASSERT_LT(count, 10000);
        cl_event ended[2] = {};
        left_elsewhere = count;
        refused_elsewhere = false;
        ASSERT_EQ(clEnqueueCopyBuffer(queue, from, to, 0, 0, large, 0, nullptr, &ended[0]),
                  CL_SUCCESS);
        ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                                         &ended[1]),
                  CL_SUCCESS);
        ASSERT_EQ(clFlush(queue), CL_SUCCESS);
        for (const cl_event event : ended) {
            cl_int status = CL_QUEUED;
            while (status > CL_COMPLETE) // not waited for: that would do its work here
                ASSERT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                         &status, nullptr),
                          CL_SUCCESS);
            EXPECT_TRUE(status == CL_COMPLETE || status == CL_OUT_OF_HOST_MEMORY) << status;
            EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
        }
        left_elsewhere = -1;
        ASSERT_EQ(clFinish(queue), CL_SUCCESS);
        if (!refused_elsewhere)
            break;
    }
    EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 1024, data, 0, nullptr, nullptr),
              CL_SUCCESS);
}

} // namespace
} // namespace rivulet::test
