// SPDX-License-Identifier: Apache-2.0
//
// Built without NDEBUG in every configuration: the order of locks is checked here.
#include "base/lock.h"

#include <gtest/gtest.h>

#include <mutex>
#include <shared_mutex>
#include <thread>

namespace rivulet {
namespace {

TEST(LockRanks, RisingOrderIsAllowed) {
    Mutex platform(LockRank::platform);
    Mutex ring(LockRank::ring);
    Mutex graph(LockRank::graph);
    SharedMutex access(LockRank::access);
    Mutex leaf(LockRank::leaf);
    const Lock first(platform);
    const Lock second(ring);
    const std::shared_lock third(access);
    const Lock fourth(graph);
    const Lock fifth(leaf);
}

TEST(LockRanks, FallingOrderEndsTheProgramWithBothNames) {
    Mutex graph(LockRank::graph);
    Mutex ring(LockRank::ring);
    const Lock lock(graph);
    EXPECT_DEATH(ring.lock(), "lock of rank \"ring\" taken under one of rank \"graph\"");
}

TEST(LockRanks, TwoOfOneRankEndTheProgram) {
    Mutex one(LockRank::memory);
    Mutex other(LockRank::memory);
    const Lock lock(one);
    EXPECT_DEATH(other.lock(), "\"memory\" taken under one of rank \"memory\"");
}

TEST(LockRanks, SharedLocksHaveRanksToo) {
    SharedMutex access(LockRank::access);
    Mutex ring(LockRank::ring);
    const std::shared_lock lock(access);
    EXPECT_DEATH(ring.lock(), "\"ring\" taken under one of rank \"access\"");
    EXPECT_DEATH(access.lock_shared(), "\"access\" taken under one of rank \"access\"");
}

TEST(LockRanks, ReleasedInAnyOrderTheyAreForgotten) {
    Mutex ring(LockRank::ring);
    Mutex graph(LockRank::graph);
    Lock first(ring);
    Lock second(graph);
    first.unlock();
    EXPECT_DEATH(first.lock(), "\"ring\" taken under one of rank \"graph\"");
    second.unlock();
    first.lock();
    second.lock();
}

TEST(LockRanks, ALockIsHeldAgainAfterAWait) {
    Mutex graph(LockRank::graph);
    Mutex ring(LockRank::ring);
    Condition changed;
    bool due = false;
    Lock lock(graph);
    std::thread other([&] {
        const Lock theirs(graph);
        due = true;
        changed.notify_all();
    });
    changed.wait(lock, [&] { return due; });
    other.join();
    EXPECT_DEATH(ring.lock(), "\"ring\" taken under one of rank \"graph\"");
}

} // namespace
} // namespace rivulet
