// SPDX-License-Identifier: Apache-2.0
//
// Shared virtual memory and cl_intel_unified_shared_memory. SharedErrorsWithoutSvm runs on a device
// that has none.
#include "errors.h"

namespace rivulet::test {
namespace {

class SharedErrors : public Errors {
protected:
    void SetUp() override {
        Errors::SetUp();
        cl_device_svm_capabilities there = 0;
        clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof there, &there, nullptr);
        if (there == 0)
            GTEST_SKIP() << "the device has no shared virtual memory";
        memory = static_cast<std::byte *>(clSVMAlloc(context, CL_MEM_READ_WRITE, 1024, 0));
        ASSERT_NE(memory, nullptr);
    }
    void TearDown() override {
        if (memory != nullptr)
            clSVMFree(context, memory);
        Errors::TearDown();
    }

    std::byte *memory = nullptr;
};

TEST_F(SharedErrors, OfAllocations) {
    EXPECT_EQ(clSVMAlloc(nullptr, CL_MEM_READ_WRITE, 64, 0), nullptr);
    EXPECT_EQ(clSVMAlloc(context, 1ull << 40, 64, 0), nullptr);
    EXPECT_EQ(clSVMAlloc(context, CL_MEM_SVM_ATOMICS, 64, 0), nullptr);
    EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, 0, 0), nullptr);
    EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, size_t{1} << 60, 0), nullptr);
    EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 3), nullptr);
    clSVMFree(nullptr, memory); // nothing happens
    clSVMFree(context, nullptr);
    clSVMFree(context, data);
}

/// The first of two devices has shared virtual memory.
class SharedErrorsOnTwoDevices : public Errors {};

TEST_F(SharedErrorsOnTwoDevices, OfLaunchesOnTheOtherOne) {
    cl_device_id devices[2] = {};
    cl_uint count = 0;
    ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, &count), CL_SUCCESS);
    ASSERT_EQ(count, 2u);
    const cl_context both = released_later(
        clReleaseContext, made(clCreateContext, nullptr, 2u, devices, nullptr, nullptr));
    void *memory = clSVMAlloc(both, CL_MEM_READ_WRITE, 64, 0);
    if (memory == nullptr)
        GTEST_SKIP() << "neither has shared virtual memory";
    const cl_kernel kernel = this->kernel("kernel void test(global int *out) { *out = 5; }", both);
    ASSERT_EQ(clSetKernelArgSVMPointer(kernel, 0, memory), CL_SUCCESS);
    const size_t items = 1;
    for (const cl_device_id used : devices) {
        const cl_command_queue queue = released_later(
            clReleaseCommandQueue, made(clCreateCommandQueue, both, used, cl_ulong{0}));
        if (used == devices[1]) {
            EXTENSION(clGetKernelSuggestedLocalWorkSize);
            size_t local = 0;
            EXPECT_FAILS(CL_INVALID_OPERATION, clGetKernelSuggestedLocalWorkSize, queue, kernel, 1u,
                         nullptr, &items, &local);
            EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueNDRangeKernel, queue, kernel, 1u, nullptr,
                         &items, nullptr, 0u, nullptr, nullptr);
            continue;
        }
        EXPECT_EQ(
            clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
        EXPECT_EQ(clFinish(queue), CL_SUCCESS);
        EXPECT_EQ(*static_cast<cl_int *>(memory), 5);
    }
    clSVMFree(both, memory);
}

TEST_F(SharedErrors, OfCommands) {
    void *pointers[] = {memory};
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMFree, nullptr, 1u, pointers, nullptr,
                 nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueSVMFree, queue, 1u, pointers, nullptr, nullptr, 1u,
                 &other_event, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMFree, queue, 1u, pointers, nullptr,
                 nullptr, 1u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueSVMFree, queue, 0u, pointers, nullptr, nullptr, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueSVMFree, queue, 1u, nullptr, nullptr, nullptr, 0u,
                 nullptr, nullptr);

    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMemcpy, nullptr, CL_TRUE, memory, data, 64u,
                 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueSVMMemcpy, queue, CL_TRUE, memory, data, 64u, 1u,
                 &other_event, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMMemcpy, queue, CL_TRUE, memory, data, 64u,
                 0u, &event, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueSVMMemcpy, queue, CL_TRUE, nullptr, data, 64u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueSVMMemcpy, queue, CL_TRUE, memory, nullptr, 64u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_MEM_COPY_OVERLAP, clEnqueueSVMMemcpy, queue, CL_TRUE, memory, memory + 16, 64u,
                 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clEnqueueSVMMemcpy, queue, CL_TRUE,
                 memory, data, 64u, 1u, &failed, nullptr);

    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMemFill, nullptr, memory, data, 4u, 64u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueSVMMemFill, queue, memory, data, 4u, 64u, 1u,
                 &other_event, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMMemFill, queue, memory, data, 4u, 64u, 1u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueSVMMemFill, queue, nullptr, data, 4u, 64u, 0u, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueSVMMemFill, queue, memory + 1, data, 4u, 64u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueSVMMemFill, queue, memory, nullptr, 4u, 64u, 0u,
                 nullptr, nullptr);
    for (const size_t bytes : {0u, 3u, 256u})
        EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueSVMMemFill, queue, memory, data, bytes, 768u, 0u,
                     nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueSVMMemFill, queue, memory, data, 4u, 6u, 0u, nullptr,
                 nullptr);

    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMap, nullptr, CL_TRUE, CL_MAP_READ, memory,
                 64u, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueSVMMap, queue, CL_TRUE, CL_MAP_READ, memory, 64u, 1u,
                 &other_event, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMMap, queue, CL_TRUE, CL_MAP_READ, memory,
                 64u, 1u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueSVMMap, queue, CL_TRUE, CL_MAP_READ, nullptr, 64u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueSVMMap, queue, CL_TRUE, CL_MAP_READ, memory, 0u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueSVMMap, queue, CL_TRUE, 1u << 20, memory, 64u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clEnqueueSVMMap, queue, CL_TRUE,
                 CL_MAP_READ, memory, 64u, 1u, &failed, nullptr);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMUnmap, nullptr, memory, 0u, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueSVMUnmap, queue, memory, 1u, &other_event, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMUnmap, queue, memory, 1u, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueSVMUnmap, queue, nullptr, 0u, nullptr, nullptr);

    const void *here[] = {memory};
    const void *elsewhere[] = {data};
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMigrateMem, nullptr, 1u, here, nullptr, 0u,
                 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueSVMMigrateMem, queue, 1u, here, nullptr, 0u, 1u,
                 &other_event, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMMigrateMem, queue, 1u, here, nullptr, 0u,
                 1u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueSVMMigrateMem, queue, 0u, here, nullptr, 0u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueSVMMigrateMem, queue, 1u, elsewhere, nullptr, 0u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueSVMMigrateMem, queue, 1u, here, nullptr, 1u << 20, 0u,
                 nullptr, nullptr);
}

TEST_F(SharedErrors, OfKernelArguments) {
    const cl_kernel subject = kernel();
    constexpr cl_kernel_exec_info pointers = CL_KERNEL_EXEC_INFO_SVM_PTRS;
    EXPECT_FAILS(CL_INVALID_ARG_INDEX, clSetKernelArgSVMPointer, subject, 9u, memory);
    EXPECT_FAILS(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer, subject, 1u, memory);
    EXPECT_FAILS(CL_INVALID_VALUE, clSetKernelExecInfo, subject, nonsense, sizeof memory, &memory);
    EXPECT_FAILS(CL_INVALID_VALUE, clSetKernelExecInfo, subject, pointers, sizeof memory, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clSetKernelExecInfo, subject, pointers, 3u, &memory);
    const cl_bool all = CL_TRUE;
    EXPECT_FAILS(CL_INVALID_OPERATION, clSetKernelExecInfo, subject,
                 CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof all, &all);
    EXPECT_FAILS(CL_INVALID_VALUE, clSetKernelExecInfo, subject,
                 CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 3u, &all);
    EXTENSION(clSetKernelArgMemPointerINTEL);
    EXPECT_FAILS(CL_INVALID_KERNEL, clSetKernelArgMemPointerINTEL, nullptr, 0u, memory);
    EXPECT_FAILS(CL_INVALID_ARG_INDEX, clSetKernelArgMemPointerINTEL, subject, 9u, memory);
    EXPECT_FAILS(CL_INVALID_ARG_VALUE, clSetKernelArgMemPointerINTEL, subject, 1u, memory);
}

TEST_F(SharedErrors, OfUnifiedAllocations) {
    EXTENSION(clHostMemAllocINTEL);
    EXTENSION(clDeviceMemAllocINTEL);
    EXTENSION(clSharedMemAllocINTEL);
    EXTENSION(clMemFreeINTEL);
    EXTENSION(clMemBlockingFreeINTEL);
    EXTENSION(clGetMemAllocInfoINTEL);
    const cl_device_id part = sub_device();
    const cl_mem_properties_intel unknown[] = {nonsense, 1, 0};
    EXPECT_FAILS(CL_INVALID_CONTEXT, clHostMemAllocINTEL, nullptr, nullptr, 64u, 0u);
    EXPECT_FAILS(CL_INVALID_PROPERTY, clHostMemAllocINTEL, context, unknown, 64u, 0u);
    EXPECT_FAILS(CL_INVALID_VALUE, clHostMemAllocINTEL, context, nullptr, 64u, 3u);
    EXPECT_FAILS(CL_INVALID_BUFFER_SIZE, clHostMemAllocINTEL, context, nullptr, 0u, 0u);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clDeviceMemAllocINTEL, nullptr, device, nullptr, 64u, 0u);
    EXPECT_FAILS(CL_INVALID_DEVICE, clDeviceMemAllocINTEL, context, nullptr, nullptr, 64u, 0u);
    EXPECT_FAILS(CL_INVALID_DEVICE, clDeviceMemAllocINTEL, context, part, nullptr, 64u, 0u);
    EXPECT_FAILS(CL_INVALID_PROPERTY, clDeviceMemAllocINTEL, context, device, unknown, 64u, 0u);
    EXPECT_FAILS(CL_INVALID_VALUE, clDeviceMemAllocINTEL, context, device, nullptr, 64u, 3u);
    EXPECT_FAILS(CL_INVALID_BUFFER_SIZE, clDeviceMemAllocINTEL, context, device, nullptr,
                 size_t{1} << 60, 0u);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clSharedMemAllocINTEL, nullptr, device, nullptr, 64u, 0u);
    EXPECT_FAILS(CL_INVALID_DEVICE, clSharedMemAllocINTEL, context, part, nullptr, 64u, 0u);
    EXPECT_FAILS(CL_INVALID_PROPERTY, clSharedMemAllocINTEL, context, device, unknown, 64u, 0u);
    EXPECT_FAILS(CL_INVALID_VALUE, clSharedMemAllocINTEL, context, device, nullptr, 64u, 3u);
    EXPECT_FAILS(CL_INVALID_BUFFER_SIZE, clSharedMemAllocINTEL, context, device, nullptr, 0u, 0u);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clMemFreeINTEL, nullptr, memory);
    EXPECT_FAILS(CL_INVALID_VALUE, clMemFreeINTEL, context, data);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clMemBlockingFreeINTEL, nullptr, memory);
    EXPECT_FAILS(CL_INVALID_VALUE, clMemBlockingFreeINTEL, context, memory + 1);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clGetMemAllocInfoINTEL, nullptr, memory,
                 CL_MEM_ALLOC_SIZE_INTEL, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetMemAllocInfoINTEL, context, memory, nonsense, 0u, nullptr,
                 &size);
}

TEST_F(SharedErrors, OfUnifiedCommands) {
    EXTENSION(clEnqueueMemFillINTEL);
    EXTENSION(clEnqueueMemsetINTEL);
    EXTENSION(clEnqueueMemcpyINTEL);
    EXTENSION(clEnqueueMigrateMemINTEL);
    EXTENSION(clEnqueueMemAdviseINTEL);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueMemFillINTEL, nullptr, memory, data, 4u, 64u,
                 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueMemFillINTEL, queue, memory, data, 4u, 64u, 1u,
                 &other_event, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueMemFillINTEL, queue, memory, data, 3u, 63u, 0u, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMemFillINTEL, queue, memory, data, 4u, 64u,
                 1u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueMemsetINTEL, nullptr, memory, 0, 64u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueMemsetINTEL, queue, memory, 0, 64u, 1u, &other_event,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueMemsetINTEL, queue, nullptr, 0, 64u, 0u, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMemsetINTEL, queue, memory, 0, 64u, 1u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueMemcpyINTEL, nullptr, CL_TRUE, memory, data,
                 64u, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueMemcpyINTEL, queue, CL_TRUE, memory, data, 64u, 1u,
                 &other_event, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueMemcpyINTEL, queue, CL_TRUE, memory, nullptr, 64u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMemcpyINTEL, queue, CL_TRUE, memory, data,
                 64u, 1u, nullptr, nullptr);
    EXPECT_FAILS(CL_MEM_COPY_OVERLAP, clEnqueueMemcpyINTEL, queue, CL_TRUE, memory, memory + 8, 64u,
                 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clEnqueueMemcpyINTEL, queue, CL_TRUE,
                 memory, data, 64u, 1u, &failed, nullptr);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueMigrateMemINTEL, nullptr, memory, 64u, 0u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueMigrateMemINTEL, queue, memory, 64u, 0u, 1u,
                 &other_event, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueMigrateMemINTEL, queue, memory, 64u, 1u << 20, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMigrateMemINTEL, queue, memory, 64u, 0u, 1u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueMemAdviseINTEL, nullptr, memory, 64u, 0u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueMemAdviseINTEL, queue, memory, 64u, 0u, 1u,
                 &other_event, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueMemAdviseINTEL, queue, memory, 64u, nonsense, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMemAdviseINTEL, queue, memory, 64u, 0u, 1u,
                 nullptr, nullptr);
}

class SharedErrorsWithoutSvm : public Errors {};

TEST_F(SharedErrorsWithoutSvm, AreInvalidOperations) {
    void *pointers[] = {data};
    const void *moved[] = {data};
    const cl_kernel subject = kernel();
    EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0), nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueSVMFree, queue, 1u, pointers, nullptr, nullptr, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueSVMMemcpy, queue, CL_TRUE, data, data + 64, 64u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueSVMMemFill, queue, data, data + 64, 4u, 64u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueSVMMap, queue, CL_TRUE, CL_MAP_READ, data, 64u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueSVMUnmap, queue, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueSVMMigrateMem, queue, 1u, moved, nullptr, 0u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clSetKernelArgSVMPointer, subject, 0u, data);
    EXPECT_FAILS(CL_INVALID_OPERATION, clSetKernelExecInfo, subject, CL_KERNEL_EXEC_INFO_SVM_PTRS,
                 sizeof pointers, pointers);
    // 3.1: other values need no support.
    const cl_bool none = CL_FALSE;
    EXPECT_EQ(
        clSetKernelExecInfo(subject, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof none, &none),
        CL_SUCCESS);
    EXTENSION(clHostMemAllocINTEL);
    EXTENSION(clDeviceMemAllocINTEL);
    EXTENSION(clSharedMemAllocINTEL);
    EXPECT_FAILS(CL_INVALID_OPERATION, clHostMemAllocINTEL, context, nullptr, 64u, 0u);
    EXPECT_FAILS(CL_INVALID_OPERATION, clDeviceMemAllocINTEL, context, device, nullptr, 64u, 0u);
    EXPECT_FAILS(CL_INVALID_OPERATION, clSharedMemAllocINTEL, context, device, nullptr, 64u, 0u);
}

TEST_F(Errors, OfAlignmentsOfSharedMemory) {
    EXTENSION(clHostMemAllocINTEL);
    EXTENSION(clDeviceMemAllocINTEL);
    EXTENSION(clSharedMemAllocINTEL);
    EXTENSION(clMemFreeINTEL);
    for (const cl_uint alignment : {0u, 1u, 2u, 64u, 128u, 4096u, 64u << 10, 2u << 20}) {
        void *const pointer = made(clHostMemAllocINTEL, context, nullptr, size_t{64}, alignment);
        if (alignment != 0)
            EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % alignment, 0u);
        EXPECT_EQ(clMemFreeINTEL(context, pointer), CL_SUCCESS);
    }
    for (const cl_uint alignment : {3u, 4097u, 4u << 20, 1u << 31}) {
        EXPECT_FAILS(CL_INVALID_VALUE, clHostMemAllocINTEL, context, nullptr, 64u, alignment);
        EXPECT_FAILS(CL_INVALID_VALUE, clDeviceMemAllocINTEL, context, device, nullptr, 64u,
                     alignment);
        EXPECT_FAILS(CL_INVALID_VALUE, clSharedMemAllocINTEL, context, device, nullptr, 64u,
                     alignment);
    }
}

} // namespace
} // namespace rivulet::test
