// SPDX-License-Identifier: Apache-2.0
//
// Starts programs on behalf of the library inside an application that does not know about them. The
// application's wait() would see a child of the library, wait forever if it is running, and consume
// its exit status; its SIGCHLD handler would be called.
#pragma once

#include <sys/types.h>

#include <span>

#include "base/file_descriptor.h"

namespace rivulet {

struct Orphan {
    pid_t pid = -1;         // -1: not running
    int error = 0;          // errno of a failed start
    FileDescriptor process; // a pidfd, readable once the process has ended

    /// Waits for the process to end. Returns false after a timeout.
    [[nodiscard]] bool await_end(int milliseconds) const;
    void kill(int signal) const;
};

/// Starts a program that is not a child of this process: its parent is the process that adopts
/// orphans (init or a subreaper), and it ends when this process does. `inherited` become its
/// descriptors 0, 1, 2 and so on; it has no others, a session of its own, and no blocked or ignored
/// signals.
Orphan start_orphan(const char *program, char *const *arguments, std::span<const int> inherited);

} // namespace rivulet
