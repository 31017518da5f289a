// SPDX-License-Identifier: Apache-2.0
#include "base/file_descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace rivulet {
namespace {

TEST(FileDescriptor, LeavesTheNumbersOfClosedStandardStreams) {
    const int saved = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    {
        const FileDescriptor file(open("/dev/null", O_RDONLY | O_CLOEXEC));
        EXPECT_GT(file.get(), STDERR_FILENO);
        EXPECT_EQ(fcntl(file.get(), F_GETFD), FD_CLOEXEC);
        EXPECT_EQ(fcntl(STDIN_FILENO, F_GETFD), -1);
    }
    dup2(saved, STDIN_FILENO);
    close(saved);
}

} // namespace
} // namespace rivulet
