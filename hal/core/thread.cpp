// SPDX-License-Identifier: Apache-2.0
#include "hal/core/thread.h"

#include <initializer_list>

namespace rivulet::hal {

SignalsBlocked::SignalsBlocked() {
    sigset_t blocked;
    sigfillset(&blocked);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT})
        sigdelset(&blocked, own);
    pthread_sigmask(SIG_SETMASK, &blocked, &before_);
}

SignalsBlocked::~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

} // namespace rivulet::hal
