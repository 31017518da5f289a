// SPDX-License-Identifier: Apache-2.0
//
// Every lock of the library has a rank; a thread may only take locks of rising rank. Debug builds
// check it. No callback of the application runs under any of them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace rivulet {

/// In the order in which they may be taken.
enum class LockRank : unsigned char {
    none,
    platform, // platform and devices: start of an accelerator
    program,  // state of a program: builds, images
    kernel,   // arguments of a kernel
    queue,    // order of enqueueing in one queue
    ring,     // order of commands on their way to a ring
    graph,    // edges and states of all commands
    memory,   // mappings and host pointers of a memory object
    heap,     // a device's heap and the arenas in it
    callback, // the list of callbacks to run
    registry, // live handles
    leaf,     // nothing is taken under it
};

class Mutex {
public:
    explicit constexpr Mutex(LockRank rank) : rank_(rank) {}
    Mutex(const Mutex &) = delete;
    Mutex &operator=(const Mutex &) = delete;

#ifdef NDEBUG
    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }
    bool try_lock() { return mutex_.try_lock(); }
#else
    void lock();
    void unlock();
    bool try_lock();
#endif

private:
    friend class Condition;
    std::mutex mutex_;
    [[maybe_unused]] LockRank rank_;
    [[maybe_unused]] LockRank below_ = LockRank::none; // what the holder held before
};

using Lock = std::unique_lock<Mutex>;

/// Where threads sleep until something has changed that a Mutex guards.
class Condition {
public:
    void wait(Lock &lock) {
        released(lock, [&](auto &mutex) { condition_.wait(mutex); });
    }
    template <class Predicate> void wait(Lock &lock, Predicate due) {
        while (!due())
            wait(lock);
    }
    void wait_until(Lock &lock, std::chrono::steady_clock::time_point time) {
        released(lock, [&](auto &mutex) { condition_.wait_until(mutex, time); });
    }
    void notify_one() { condition_.notify_one(); }
    void notify_all() { condition_.notify_all(); }

private:
    template <class Wait> static void released(Lock &lock, Wait wait) {
        Mutex &mutex = *lock.mutex();
        const LockRank below = mutex.below_; // others hold it meanwhile
        std::unique_lock held(mutex.mutex_, std::adopt_lock);
        wait(held);
        held.release();
        mutex.below_ = below;
    }

    std::condition_variable condition_;
};

} // namespace rivulet
