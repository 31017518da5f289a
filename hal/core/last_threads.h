// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rivulet::hal {

/// Threads of the library block all signals (ThreadDefaults), so a process whose own threads have
/// all ended, the first by pthread_exit() say, could not be ended by SIGTERM or ^C. As long as
/// there is one of the application's, signals are for that, be it in sigwait() or about to unblock
/// them. So: only when a signal is pending for the process and every thread that lives is the
/// library's, one of these takes it, and what the application wanted of the signal happens.
///
/// To be called by threads of the application that start something: the thread that watches exists
/// only from the end of such a thread on.
void watch_for_last_thread();

} // namespace rivulet::hal
