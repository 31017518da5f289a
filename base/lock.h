// SPDX-License-Identifier: Apache-2.0
//
// Every lock of the host library and the HAL core has a rank, and a thread may take locks only in
// ascending order of rank, which rules out deadlocks. Builds without NDEBUG check this: the preset
// `debug`, and the sanitizer builds in each test run. No application callback runs under any of
// these locks. Drivers have locks of their own, below all ranks.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>

namespace rivulet {

/// In the order in which they may be taken; see lock_ranks.def.
enum class LockRank : unsigned char {
#define RIVULET_LOCK_RANK(name, guards) name,
#include "base/lock_ranks.def"
};

#ifdef NDEBUG
inline void check_lock_order(LockRank) {}
inline void note_unlocked(LockRank) {}
#else
/// Records that this thread takes a lock of the rank; aborts with both ranks' names if the thread
/// holds one of the same or a higher rank.
void check_lock_order(LockRank rank);
void note_unlocked(LockRank rank);
#endif

/// A standard mutex with a rank.
template <class Standard> class Ranked {
public:
    explicit constexpr Ranked(LockRank rank) : rank_(rank) {}
    Ranked(const Ranked &) = delete;
    Ranked &operator=(const Ranked &) = delete;

    void lock() {
        check_lock_order(rank_);
        mutex_.lock();
    }
    void unlock() {
        mutex_.unlock();
        note_unlocked(rank_);
    }
    void lock_shared() {
        check_lock_order(rank_);
        mutex_.lock_shared();
    }
    void unlock_shared() {
        mutex_.unlock_shared();
        note_unlocked(rank_);
    }

private:
    friend class Condition;
    Standard mutex_;
    [[maybe_unused]] const LockRank rank_;
};

using Mutex = Ranked<std::mutex>;
using SharedMutex = Ranked<std::shared_mutex>;
using Lock = std::unique_lock<Mutex>;

/// A condition variable for state guarded by a Mutex.
class Condition {
public:
    void wait(Lock &lock) {
        with_standard_lock(lock, [&](auto &held) { condition_.wait(held); });
    }
    template <class Predicate> void wait(Lock &lock, Predicate due) {
        while (!due())
            wait(lock);
    }
    void wait_until(Lock &lock, std::chrono::steady_clock::time_point time) {
        with_standard_lock(lock, [&](auto &held) { condition_.wait_until(held, time); });
    }
    void notify_one() { condition_.notify_one(); }
    void notify_all() { condition_.notify_all(); }

private:
    // The lock counts as held meanwhile, which is harmless: a waiting thread takes no others.
    template <class Wait> static void with_standard_lock(Lock &lock, Wait wait) {
        std::unique_lock held(lock.mutex()->mutex_, std::adopt_lock);
        wait(held);
        held.release();
    }

    std::condition_variable condition_;
};

} // namespace rivulet
