// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/object/lock.h"

#include <cstdio>
#include <cstdlib>

namespace rivulet {
#ifndef NDEBUG
namespace {
thread_local LockRank highest = LockRank::none;
} // namespace

void Mutex::lock() {
    if (highest >= rank_) {
        std::fprintf(stderr, "rivulet: lock of rank %d taken under one of rank %d\n",
                     static_cast<int>(rank_), static_cast<int>(highest));
        std::abort();
    }
    mutex_.lock();
    below_ = highest;
    highest = rank_;
}

bool Mutex::try_lock() {
    if (highest >= rank_ || !mutex_.try_lock())
        return false;
    below_ = highest;
    highest = rank_;
    return true;
}

void Mutex::unlock() {
    highest = below_;
    mutex_.unlock();
}
#endif
} // namespace rivulet
