// SPDX-License-Identifier: Apache-2.0
//
// Errors with no argument to blame: the process is a child that has the library's objects but not
// its threads.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "errors.h"

namespace rivulet::test {
namespace {

class Fork : public Errors {};

TEST_F(Fork, ChildIsToldThatItHasNoDevice) {
    const cl_int pattern = 11;
    ASSERT_EQ(clEnqueueFillBuffer(queue, buffer, &pattern, 4, 0, 1024, 0, nullptr, nullptr),
              CL_SUCCESS);
    const pid_t child = fork();
    if (child == 0) {
        cl_int code = CL_SUCCESS;
        const auto refuses = [](cl_int answer) { return answer == CL_OUT_OF_RESOURCES; };
        bool right = refuses(clFinish(queue)) &&
                     refuses(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 16, data, 0, nullptr,
                                                  nullptr)) &&
                     refuses(clWaitForEvents(1, &event)) && refuses(clReleaseContext(context));
        clCreateBuffer(context, 0, 64, nullptr, &code);
        right = right && refuses(code);
        std::_Exit(right ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    cl_int result = 0; // the parent's device works on
    ASSERT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 1020, 4, &result, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(result, 11);
}

// Before the first context there are no threads or devices that the child could be missing.
TEST(ForkAtTheStart, ChildOfAProcessThatOnlyAskedHasADevice) {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
    ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), CL_SUCCESS);
    const auto use = [&] {
        cl_int code = 1, filled = 23, found = 0;
        const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
        const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
        const char *text = "kernel void test(global int *out) { *out *= 2; }";
        const cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
        const cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, &filled, &code);
        clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
        const cl_kernel kernel = clCreateKernel(program, "test", &code);
        clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
        return clEnqueueTask(queue, kernel, 0, nullptr, nullptr) == CL_SUCCESS &&
               clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &found, 0, nullptr, nullptr) ==
                   CL_SUCCESS &&
               found == 46;
    };
    std::array<pid_t, 2> children{}; // concurrently, each with separate memory
    for (pid_t &child : children) {
        child = fork();
        if (child == 0)
            std::_Exit(use() ? 0 : 1);
    }
    EXPECT_TRUE(use());
    for (const pid_t child : children) {
        int status = -1;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
}

TEST_F(Fork, ChildHearsOnceWhy) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        for (int n = 0; n < 3; ++n)
            clFinish(queue);
        std::_Exit(0);
    }
    close(ends[1]);
    std::string heard;
    for (char c; read(ends[0], &c, 1) == 1;)
        heard += c;
    close(ends[0]);
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(std::ranges::count(heard, '\n'), 1) << heard;
    EXPECT_NE(heard.find("fork before the first context"), heard.npos) << heard;
}

} // namespace
} // namespace rivulet::test
