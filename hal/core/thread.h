// SPDX-License-Identifier: Apache-2.0
//
// Threads of the library inside of an application that does not know of them.
#pragma once

#include <csignal>

#include "hal/core/floating_point.h"

namespace rivulet::hal {

/// Processors that this process may run on, 1 at least.
unsigned processor_count();

/// While it lives, threads that are started inherit what is the library's and not the
/// application's.
///
/// Signals are blocked: none of the application's handlers runs on a thread of ours, and no signal
/// meant for a thread of its own goes astray. Those that a thread raises by its own instructions
/// stay: blocked, they would end the process without a word.
///
/// Floating point is as C starts programs.
class ThreadDefaults {
public:
    ThreadDefaults();
    ThreadDefaults(const ThreadDefaults &) = delete;
    ThreadDefaults &operator=(const ThreadDefaults &) = delete;
    ~ThreadDefaults();

private:
    sigset_t before_;
    DefaultFloatingPoint floating_point_;
};

} // namespace rivulet::hal
