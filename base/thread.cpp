// SPDX-License-Identifier: Apache-2.0
#include "base/thread.h"

#include <sched.h>

#include <algorithm>
#include <initializer_list>

namespace rivulet {

unsigned processor_count() {
    cpu_set_t set;
    const int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return static_cast<unsigned>(std::max(count, 1));
}

ThreadDefaults::ThreadDefaults() {
    sigset_t blocked;
    sigfillset(&blocked);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT})
        sigdelset(&blocked, own);
    pthread_sigmask(SIG_SETMASK, &blocked, &before_);
}

ThreadDefaults::~ThreadDefaults() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

} // namespace rivulet
