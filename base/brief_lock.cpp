// SPDX-License-Identifier: Apache-2.0
#include "base/brief_lock.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rivulet {

static_assert(sizeof(std::atomic<int>) == sizeof(int)); // the word that the kernel looks at

// A thread that has slept doesn't know whether others still do, so it leaves the state `awaited`.
void FutexMutex::await() {
    while (state_.exchange(awaited, std::memory_order_acquire) != unlocked)
        syscall(SYS_futex, &state_, FUTEX_WAIT_PRIVATE, awaited, nullptr, nullptr, 0);
}

void FutexMutex::wake() { syscall(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0); }

} // namespace rivulet
