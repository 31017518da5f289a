// SPDX-License-Identifier: Apache-2.0
//
// Programs that the library starts inside of an application that does not know of them. Its wait()
// would see a child of ours, wait for ever for one that runs on, and take the status of one that
// has ended; its handler of SIGCHLD would be called for it.
#pragma once

#include <sys/types.h>

#include <span>

#include "hal/core/file_descriptor.h"

namespace rivulet::hal {

struct Orphan {
    pid_t pid = -1;         // -1: it isn't there
    int error = 0;          // errno of what kept it from starting
    FileDescriptor process; // a pidfd; ready to be read when it has ended

    /// Waits for its end. `false`: it hasn't come in that time.
    [[nodiscard]] bool await_end(int milliseconds) const;
    void kill(int signal) const;
};

/// Starts a program that is no child of this process: whoever adopts orphans (init, or a subreaper)
/// is its parent, and it ends by itself when this process does. `inherited` become its descriptors
/// 0, 1, 2 and so on; it has no others, a session of its own and no signal blocked or ignored.
Orphan start_orphan(const char *program, char *const *arguments, std::span<const int> inherited);

} // namespace rivulet::hal
