// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rivulet {

/// Library threads block all signals (ThreadDefaults), so a process all of whose own threads have
/// ended (the main thread by pthread_exit(), for example) could not be terminated with SIGTERM or
/// ^C. As long as the application has a thread, signals are its business, whether it is in
/// sigwait() or about to unblock them. So only when a signal is pending for the process and every
/// remaining thread is the library's, one of these takes the signal, and the disposition set by the
/// application is executed.
///
/// Called by application threads that start something: the watching thread exists only once such a
/// thread has ended.
void watch_for_last_thread();

} // namespace rivulet
