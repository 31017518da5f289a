// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/tests/opencl_test.h"

namespace rivulet::test {
namespace {

class Handle : public OpenCL {};
class Query : public OpenCL {};

TEST_F(Handle, FreedOneIsAnErrorCode) {
    cl_int code = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(context, 0, 16, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(clRetainMemObject(buffer), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(buffer), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(clRetainMemObject(buffer), CL_INVALID_MEM_OBJECT);
}

TEST_F(Handle, OneOfAnotherKindIsAnErrorCode) {
    EXPECT_EQ(clRetainMemObject(reinterpret_cast<cl_mem>(context)), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(clFinish(reinterpret_cast<cl_command_queue>(device)), CL_INVALID_COMMAND_QUEUE);
}

TEST_F(Handle, NullAndGarbageAreErrorCodes) {
    int garbage = 0;
    EXPECT_EQ(clReleaseContext(nullptr), CL_INVALID_CONTEXT);
    EXPECT_EQ(clReleaseEvent(reinterpret_cast<cl_event>(&garbage)), CL_INVALID_EVENT);
    EXPECT_EQ(clReleaseKernel(reinterpret_cast<cl_kernel>(1)), CL_INVALID_KERNEL);
}

TEST_F(Query, GivesSizeValueAndErrorsAlike) {
    size_t size = 0;
    cl_uint value = 0;
    EXPECT_EQ(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, 0, nullptr, &size), CL_SUCCESS);
    EXPECT_EQ(size, sizeof value);
    EXPECT_EQ(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, size, &value, nullptr), CL_SUCCESS);
    EXPECT_EQ(value, 1u);
    EXPECT_EQ(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, size - 1, &value, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clGetContextInfo(context, 0xdead, sizeof value, &value, nullptr), CL_INVALID_VALUE);
}

TEST_F(Query, StringsCountTheirNul) {
    size_t size = 0;
    ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_PROFILE, 0, nullptr, &size), CL_SUCCESS);
    std::vector<char> text(size);
    ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_PROFILE, size, text.data(), nullptr), CL_SUCCESS);
    EXPECT_STREQ(text.data(), "EMBEDDED_PROFILE");
    EXPECT_EQ(size, sizeof "EMBEDDED_PROFILE");
}

TEST_F(Query, ReferenceCountsAreTheApplications) {
    cl_uint count = 0;
    EXPECT_EQ(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(count, 1u);
}

} // namespace
} // namespace rivulet::test
