// SPDX-License-Identifier: Apache-2.0
//
// Library threads inside an application that does not know about them.
#pragma once

#include <csignal>

#include "base/floating_point.h"

namespace rivulet {

/// Processors this process may run on, at least 1.
unsigned processor_count();

/// While it exists, new threads inherit the library's state instead of the application's.
///
/// Signals are blocked, so that no handler of the application runs on a library thread, and no
/// signal meant for an application thread is delivered to one. Signals raised by a thread's own
/// instructions stay unblocked: if blocked, they would end the process without calling a handler.
///
/// Floating point is as in a C program at startup.
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

} // namespace rivulet
