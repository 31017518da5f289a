// SPDX-License-Identifier: Apache-2.0
//
// What has no argument to blame: the process is a child that has the library's objects but not its
// threads.
#include <sys/wait.h>
#include <unistd.h>

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

} // namespace
} // namespace rivulet::test
