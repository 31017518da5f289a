// SPDX-License-Identifier: Apache-2.0
//
// 5.7, 5.8: kernels, their arguments, launches.
#include <unistd.h>

#include "errors.h"

namespace rivulet::test {
namespace {

constexpr const char *needs_two = "__attribute__((reqd_work_group_size(2, 1, 1)))"
                                  "kernel void test(global int *out) { *out = 1; }";

TEST_F(Errors, OfKernelsThatDevicesDefineDifferently) {
    const auto parts = halves();
    const cl_program program =
        source("kernel void test(global TYPE *out) { *out = 1; }", context_of(parts));
    ASSERT_EQ(clBuildProgram(program, 1, &parts[0], "-DTYPE=int", nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(clBuildProgram(program, 1, &parts[1], "-DTYPE=float", nullptr, nullptr), CL_SUCCESS);
    EXPECT_FAILS(CL_INVALID_KERNEL_DEFINITION, clCreateKernel, program, "test");
}

TEST_F(Errors, OfCreatingKernels) {
    const cl_program raw = source("kernel void test() {}");
    const cl_program program = built("kernel void test() {} kernel void second() {}");
    cl_kernel kernels[2];
    EXPECT_FAILS(CL_INVALID_PROGRAM, clCreateKernel, nullptr, "test");
    EXPECT_FAILS(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel, raw, "test");
    EXPECT_FAILS(CL_INVALID_KERNEL_NAME, clCreateKernel, program, "nobody");
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateKernel, program, nullptr);
    EXPECT_FAILS(CL_INVALID_PROGRAM, clCreateKernelsInProgram, nullptr, 2u, kernels, nullptr);
    EXPECT_FAILS(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernelsInProgram, raw, 2u, kernels,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateKernelsInProgram, program, 1u, kernels, nullptr);
    EXPECT_FAILS(CL_INVALID_KERNEL, clCloneKernel, as<cl_kernel>(program));
    EXPECT_FAILS(CL_INVALID_KERNEL, clRetainKernel, nullptr);
    EXPECT_FAILS(CL_INVALID_KERNEL, clReleaseKernel, as<cl_kernel>(program));
}

TEST_F(Errors, OfKernelArguments) {
    const cl_kernel subject = kernel("kernel void test(global int *out, int value, "
                                     "local int *shared, constant int *table) {"
                                     "    *out = value + *table + *shared; }");
    const cl_mem wrong = as<cl_mem>(queue);
    const cl_mem *none = nullptr;
    EXPECT_FAILS(CL_INVALID_KERNEL, clSetKernelArg, nullptr, 0u, sizeof buffer, &buffer);
    EXPECT_FAILS(CL_INVALID_ARG_INDEX, clSetKernelArg, subject, 4u, sizeof buffer, &buffer);
    EXPECT_FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg, subject, 1u, 4u, none);
    EXPECT_FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg, subject, 2u, 16u, data);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clSetKernelArg, subject, 0u, sizeof wrong, &wrong);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clSetKernelArg, subject, 3u, sizeof wrong, &wrong);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clSetKernelArg, subject, 0u, sizeof other_buffer,
                 &other_buffer);
    EXPECT_FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg, subject, 0u, 4u, &buffer);
    EXPECT_FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg, subject, 1u, 8u, data);
    cl_version version = 0;
    clGetPlatformInfo(platform, CL_PLATFORM_NUMERIC_VERSION, sizeof version, &version, nullptr);
    if (version < CL_MAKE_VERSION(3u, 1u, 0u))
        EXPECT_FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg, subject, 2u, 0u, none);
    EXPECT_FAILS(CL_INVALID_KERNEL, clSetKernelArgSVMPointer, nullptr, 0u, data);
    EXPECT_FAILS(CL_INVALID_KERNEL, clSetKernelExecInfo, nullptr, CL_KERNEL_EXEC_INFO_SVM_PTRS,
                 sizeof(void *), data);
}

TEST_F(Errors, OfKernelQueries) {
    const cl_kernel subject = kernel();
    const cl_device_id part = sub_device();
    EXPECT_FAILS(CL_INVALID_KERNEL, clGetKernelInfo, nullptr, CL_KERNEL_NUM_ARGS, 0u, nullptr,
                 &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetKernelInfo, subject, nonsense, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetKernelInfo, subject, CL_KERNEL_NUM_ARGS, 1u, data, &size);
    EXPECT_FAILS(CL_INVALID_KERNEL, clGetKernelWorkGroupInfo, nullptr, device,
                 CL_KERNEL_WORK_GROUP_SIZE, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_DEVICE, clGetKernelWorkGroupInfo, subject, part,
                 CL_KERNEL_WORK_GROUP_SIZE, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetKernelWorkGroupInfo, subject, device, nonsense, 0u, nullptr,
                 &size);
    // 5.7.3: built-in kernels and custom devices alone have this size.
    EXPECT_FAILS(CL_INVALID_VALUE, clGetKernelWorkGroupInfo, subject, device,
                 CL_KERNEL_GLOBAL_WORK_SIZE, sizeof data, data, &size);

    constexpr cl_kernel_arg_info name = CL_KERNEL_ARG_NAME;
    EXPECT_FAILS(CL_INVALID_KERNEL, clGetKernelArgInfo, nullptr, 0u, name, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_ARG_INDEX, clGetKernelArgInfo, subject, 9u, name, 0u, nullptr, &size);
    EXPECT_FAILS(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, clGetKernelArgInfo, subject, 0u, name,
                 sizeof data, data, &size);
    const cl_program described = source("kernel void test(global int *out) { *out = 1; }");
    ASSERT_EQ(clBuildProgram(described, 0, nullptr, "-cl-kernel-arg-info", nullptr, nullptr),
              CL_SUCCESS);
    const cl_kernel informed =
        released_later(clReleaseKernel, made(clCreateKernel, described, "test"));
    EXPECT_FAILS(CL_INVALID_VALUE, clGetKernelArgInfo, informed, 0u, nonsense, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetKernelArgInfo, informed, 0u, name, 1u, data, &size);
}

TEST_F(Errors, OfSubGroupQueries) {
    const cl_kernel subject = kernel();
    const cl_device_id part = sub_device();
    constexpr cl_kernel_sub_group_info largest = CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE;
    const size_t local[] = {4};
    EXPECT_FAILS(CL_INVALID_KERNEL, clGetKernelSubGroupInfo, nullptr, device, largest, sizeof local,
                 local, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_DEVICE, clGetKernelSubGroupInfo, subject, part, largest, sizeof local,
                 local, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_KERNEL, clGetKernelSubGroupInfoKHR, nullptr, device, largest,
                 sizeof local, local, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_DEVICE, clGetKernelSubGroupInfoKHR, subject, part, largest,
                 sizeof local, local, 0u, nullptr, &size);
    cl_uint most = 0;
    clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, nullptr);
    if (most == 0) {
        EXPECT_FAILS(CL_INVALID_OPERATION, clGetKernelSubGroupInfo, subject, device, largest,
                     sizeof local, local, 0u, nullptr, &size);
        GTEST_SKIP() << "the device has no sub-groups";
    }
    EXPECT_FAILS(CL_INVALID_VALUE, clGetKernelSubGroupInfo, subject, device, nonsense, sizeof local,
                 local, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetKernelSubGroupInfoKHR, subject, device, nonsense,
                 sizeof local, local, 0u, nullptr, &size);
}

class LaunchErrors : public Errors {
protected:
    void SetUp() override {
        Errors::SetUp();
        ready = kernel();
        cl_int value = 3;
        ASSERT_EQ(clSetKernelArg(ready, 0, sizeof buffer, &buffer), CL_SUCCESS);
        ASSERT_EQ(clSetKernelArg(ready, 1, sizeof value, &value), CL_SUCCESS);
    }

    cl_kernel ready = nullptr;
    size_t global[3] = {4, 1, 1};
    size_t empty[3] = {0, 1, 1};
};

TEST_F(LaunchErrors, InNDRanges) {
    const cl_kernel unset = kernel();
    const cl_kernel two = kernel(needs_two);
    ASSERT_EQ(clSetKernelArg(two, 0, sizeof buffer, &buffer), CL_SUCCESS);
    const Elsewhere other = elsewhere();
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueNDRangeKernel, nullptr, ready, 1u, nullptr,
                 global, nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_KERNEL, clEnqueueNDRangeKernel, queue, nullptr, 1u, nullptr, global,
                 nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueNDRangeKernel, other_queue, ready, 1u, nullptr,
                 global, nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueNDRangeKernel, queue, ready, 1u, nullptr, global,
                 nullptr, 1u, &other_event, nullptr);
    EXPECT_FAILS(CL_INVALID_PROGRAM_EXECUTABLE, clEnqueueNDRangeKernel, other.queue, other.kernel,
                 1u, nullptr, global, nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel, queue, unset, 1u, nullptr, global,
                 nullptr, 0u, nullptr, nullptr);
    for (const cl_uint dimensions : {0u, 4u})
        EXPECT_FAILS(CL_INVALID_WORK_DIMENSION, clEnqueueNDRangeKernel, queue, ready, dimensions,
                     nullptr, global, nullptr, 0u, nullptr, nullptr);
    const size_t beyond[] = {~size_t{0}};
    EXPECT_FAILS(CL_INVALID_GLOBAL_WORK_SIZE, clEnqueueNDRangeKernel, queue, ready, 1u, nullptr,
                 beyond, nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_GLOBAL_OFFSET, clEnqueueNDRangeKernel, queue, ready, 1u, beyond, global,
                 nullptr, 0u, nullptr, nullptr);
    const size_t one[] = {1};
    const size_t zero[] = {0};
    EXPECT_FAILS(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel, queue, two, 1u, nullptr,
                 global, one, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel, queue, ready, 1u, nullptr,
                 global, zero, 0u, nullptr, nullptr);
    size_t most = 0;
    clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, nullptr);
    const size_t wide[] = {4 * most, 4, 1};
    const size_t too_many[] = {most, 2, 1};
    const size_t too_wide[] = {2 * most, 1, 1};
    EXPECT_FAILS(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel, queue, ready, 2u, nullptr,
                 wide, too_many, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_WORK_ITEM_SIZE, clEnqueueNDRangeKernel, queue, ready, 1u, nullptr, wide,
                 too_wide, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueNDRangeKernel, queue, ready, 1u, nullptr,
                 global, nullptr, 1u, nullptr, nullptr);
}

/// The specification lists the same for both names.
#define EXPECT_SUGGESTING_FAILS(function, range)                                                   \
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, function, nullptr, ready, 1u, nullptr, range, local);   \
    EXPECT_FAILS(CL_INVALID_KERNEL, function, queue, nullptr, 1u, nullptr, range, local);          \
    EXPECT_FAILS(CL_INVALID_CONTEXT, function, other_queue, ready, 1u, nullptr, range, local);     \
    EXPECT_FAILS(CL_INVALID_PROGRAM_EXECUTABLE, function, other.queue, other.kernel, 1u, nullptr,  \
                 range, local);                                                                    \
    EXPECT_FAILS(CL_INVALID_KERNEL_ARGS, function, queue, unset, 1u, nullptr, range, local);       \
    EXPECT_FAILS(CL_INVALID_WORK_DIMENSION, function, queue, ready, 4u, nullptr, range, local);    \
    EXPECT_FAILS(CL_INVALID_GLOBAL_WORK_SIZE, function, queue, ready, 1u, nullptr, nullptr,        \
                 local);                                                                           \
    EXPECT_FAILS(CL_INVALID_GLOBAL_WORK_SIZE, function, queue, ready, 1u, nullptr, empty, local);  \
    EXPECT_FAILS(CL_INVALID_GLOBAL_OFFSET, function, queue, ready, 1u, beyond, range, local);      \
    EXPECT_FAILS(CL_INVALID_VALUE, function, queue, ready, 1u, nullptr, range, nullptr)

TEST_F(LaunchErrors, InSuggestedLocalSizes) {
    EXTENSION(clGetKernelSuggestedLocalWorkSize);
    EXTENSION(clGetKernelSuggestedLocalWorkSizeKHR);
    const cl_kernel unset = kernel();
    const Elsewhere other = elsewhere();
    const size_t beyond[] = {~size_t{0}};
    size_t local[3];
    EXPECT_SUGGESTING_FAILS(clGetKernelSuggestedLocalWorkSize, global);
    EXPECT_SUGGESTING_FAILS(clGetKernelSuggestedLocalWorkSizeKHR, global);
}

TEST_F(LaunchErrors, InTasks) {
    const cl_kernel unset = kernel();
    const cl_kernel two = kernel(needs_two);
    ASSERT_EQ(clSetKernelArg(two, 0, sizeof buffer, &buffer), CL_SUCCESS);
    const Elsewhere other = elsewhere();
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueTask, nullptr, ready, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_KERNEL, clEnqueueTask, queue, as<cl_kernel>(buffer), 0u, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueTask, other_queue, ready, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_PROGRAM_EXECUTABLE, clEnqueueTask, other.queue, other.kernel, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_KERNEL_ARGS, clEnqueueTask, queue, unset, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask, queue, two, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueTask, queue, ready, 0u, &event, nullptr);
}

TEST_F(LaunchErrors, InNativeKernels) {
    const auto function = +[](void *) {};
    const cl_mem wrong = as<cl_mem>(queue);
    void *arguments[2] = {};
    const void *pointer = arguments;
    const void *outside = arguments + 2;
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueNativeKernel, nullptr, function, nullptr, 0u,
                 0u, nullptr, nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueNativeKernel, queue, function, nullptr, 0u, 0u,
                 nullptr, nullptr, 1u, &other_event, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueNativeKernel, queue, function, arguments,
                 sizeof arguments, 1u, &other_buffer, &pointer, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueNativeKernel, queue, nullptr, nullptr, 0u, 0u, nullptr,
                 nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueNativeKernel, queue, function, nullptr, 8u, 0u, nullptr,
                 nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueNativeKernel, queue, function, arguments, 0u, 0u,
                 nullptr, nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueNativeKernel, queue, function, nullptr, 0u, 1u, &buffer,
                 &pointer, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueNativeKernel, queue, function, arguments,
                 sizeof arguments, 1u, nullptr, &pointer, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueNativeKernel, queue, function, arguments,
                 sizeof arguments, 1u, &buffer, nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueNativeKernel, queue, function, arguments,
                 sizeof arguments, 1u, &buffer, &outside, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueNativeKernel, queue, function, arguments,
                 sizeof arguments, 1u, &wrong, &pointer, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueNativeKernel, queue, function, nullptr, 0u,
                 0u, nullptr, nullptr, 1u, nullptr, nullptr);
}

// Counting kernels doesn't attach them.
TEST_F(Errors, OfBuildingAgainAfterKernelsWereCounted) {
    const cl_program program = built("kernel void test() {} kernel void second() {}");
    const auto rebuild = [&] { return clBuildProgram(program, 0, nullptr, "", nullptr, nullptr); };
    cl_uint count = 0;
    cl_kernel kernels[2];
    EXPECT_EQ(clCreateKernelsInProgram(program, 0, nullptr, &count), CL_SUCCESS);
    EXPECT_EQ(count, 2u);
    EXPECT_EQ(rebuild(), CL_SUCCESS);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateKernelsInProgram, program, 1u, kernels, nullptr);
    EXPECT_EQ(rebuild(), CL_SUCCESS);
    ASSERT_EQ(clCreateKernelsInProgram(program, 2, kernels, nullptr), CL_SUCCESS);
    EXPECT_EQ(rebuild(), CL_INVALID_OPERATION);
    for (const cl_kernel kernel : kernels)
        EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    EXPECT_EQ(rebuild(), CL_SUCCESS);
}

TEST_F(Errors, OfKernelsOfABuildUnderWayAreNone) {
    for (int n = 0; n < 5; ++n) {
        const std::string text =
            "kernel void test(global int *out) { *out = " + std::to_string(n + getpid()) + "; }";
        const cl_program program = source(text.c_str());
        ASSERT_EQ(clBuildProgram(
                      program, 0, nullptr, "", [](cl_program, void *) {}, nullptr),
                  CL_SUCCESS);
        const cl_kernel kernel = made(clCreateKernel, program, "test");
        ASSERT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    }
    const cl_program broken = source("this is no kernel");
    ASSERT_EQ(
        clBuildProgram(broken, 0, nullptr, "", [](cl_program, void *) {}, nullptr), CL_SUCCESS);
    EXPECT_FAILS(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel, broken, "test");
}

TEST_F(Errors, OfTasksHaveATypeOfTheirOwn) {
    const cl_kernel nothing = kernel("kernel void test() {}");
    cl_event ended = nullptr;
    ASSERT_EQ(clEnqueueTask(queue, nothing, 0, nullptr, &ended), CL_SUCCESS);
    cl_command_type type = 0;
    EXPECT_EQ(clGetEventInfo(ended, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(type, static_cast<cl_command_type>(CL_COMMAND_TASK));
    EXPECT_EQ(clWaitForEvents(1, &ended), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(ended), CL_SUCCESS);
}

} // namespace
} // namespace rivulet::test
