// SPDX-License-Identifier: Apache-2.0
//
// What has no argument to blame: the host has no memory left, or the process is a child that has
// the library's objects but not its threads.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <new>

#include "errors.h"

namespace {

/// How many allocations of this thread still succeed; negative: all.
thread_local int allocations_left = -1;
thread_local bool refused = false;

} // namespace

// In place of the C++ library's, for the whole process.
void *operator new(size_t bytes) {
    if (allocations_left == 0) {
        refused = true;
        throw std::bad_alloc();
    }
    if (allocations_left > 0)
        --allocations_left;
    if (void *memory = std::malloc(bytes))
        return memory;
    throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

namespace rivulet::test {
namespace {

class OutOfHostMemory : public Errors {
protected:
    /// Refuses the call's first allocation, then its second, and so on, until it needs no more.
    template <class Call, class Undo> void expect_code(const char *name, Call call, Undo undo) {
        for (int count = 0;; ++count) {
            ASSERT_LT(count, 10000) << name;
            cl_int code = CL_SUCCESS;
            allocations_left = count;
            refused = false;
            const auto made = call(&code);
            allocations_left = -1;
            if (code == CL_SUCCESS)
                undo(made);
            EXPECT_EQ(code, refused ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS)
                << name << ", allocation " << count;
            if (!refused)
                return;
        }
    }
};

TEST_F(OutOfHostMemory, EndsCallsThatMakeObjects) {
    const char *text = "kernel void test() {} // longer than what a short string has room for";
    const cl_program program = built(text);
    expect_code(
        "queue", [&](cl_int *code) { return clCreateCommandQueue(context, device, 0, code); },
        clReleaseCommandQueue);
    expect_code(
        "program",
        [&](cl_int *code) { return clCreateProgramWithSource(context, 1, &text, nullptr, code); },
        clReleaseProgram);
    expect_code(
        "kernel", [&](cl_int *code) { return clCreateKernel(program, "test", code); },
        clReleaseKernel);
    expect_code(
        "event", [&](cl_int *code) { return clCreateUserEvent(context, code); }, clReleaseEvent);
    expect_code(
        "sampler",
        [&](cl_int *code) {
            return clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, code);
        },
        clReleaseSampler);
}

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

} // namespace
} // namespace rivulet::test
