// SPDX-License-Identifier: Apache-2.0
//
// Threads of the library inside of an application that does not know of them.
#pragma once

#include <csignal>

namespace rivulet::hal {

/// Processors that this process may run on, 1 at least.
unsigned processor_count();

/// While it lives, threads that are started inherit a mask that blocks the application's signals:
/// none of its handlers runs on a thread of ours, and no signal meant for a thread of its own goes
/// astray. Signals that a thread raises by its own instructions stay: blocked, they would end the
/// process without a word.
class SignalsBlocked {
public:
    SignalsBlocked();
    SignalsBlocked(const SignalsBlocked &) = delete;
    SignalsBlocked &operator=(const SignalsBlocked &) = delete;
    ~SignalsBlocked();

private:
    sigset_t before_;
};

} // namespace rivulet::hal
