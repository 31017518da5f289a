// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/heap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

namespace rivulet {
namespace {

constexpr uint64_t base = 0x80100000;
constexpr uint64_t mib = 1 << 20;

class ArenaTest : public testing::Test {
protected:
    std::shared_ptr<Heap> heap = std::make_shared<Heap>(base, 64 * mib);
    std::shared_ptr<Arena> arena = std::make_shared<Arena>(heap);
};

TEST_F(ArenaTest, BlocksNeverOverlapAndLieInTheExtent) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::vector<Block> blocks;
    for (int round = 0; round < 2000; ++round) {
        if (!blocks.empty() && random() % 3 == 0) {
            std::swap(blocks[random() % blocks.size()], blocks.back());
            blocks.pop_back();
            continue;
        }
        Block block = arena->allocate(random() % (random() % 8 ? 5000 : 300000) + 1, 128);
        if (!block)
            continue;
        EXPECT_EQ(block.address() % 128, 0u);
        const Range extent = arena->extent();
        EXPECT_GE(block.address(), extent.begin);
        EXPECT_LE(block.address() + block.bytes(), extent.end);
        for (const Block &other : blocks)
            ASSERT_TRUE(block.address() + block.bytes() <= other.address() ||
                        other.address() + other.bytes() <= block.address());
        blocks.push_back(std::move(block));
    }
    blocks.clear();
    EXPECT_EQ(arena->bytes_in_use(), 0u);
    EXPECT_TRUE(arena->allocate(static_cast<size_t>(arena->extent().bytes()), 4096));
}

TEST_F(ArenaTest, LargeBlocksStartOnDifferentPagesModulo256) {
    std::vector<Block> blocks;
    std::set<uint64_t> pages;
    for (int n = 0; n < 8; ++n) {
        blocks.push_back(arena->allocate(mib, 128));
        pages.insert(blocks.back().address() / 4096 % 256);
    }
    EXPECT_EQ(pages.size(), 8u);
}

TEST_F(ArenaTest, OneArenaCanHaveNearlyAllMemory) {
    EXPECT_TRUE(arena->allocate(60 * mib, 128));
    EXPECT_FALSE(arena->allocate(65 * mib, 128));
    EXPECT_FALSE(arena->allocate(~size_t{0}, 128));
}

TEST_F(ArenaTest, GrowsDownwardsWhenThereIsNoRoomAbove) {
    const Block first = arena->allocate(mib, 128);
    auto second = std::make_shared<Arena>(heap);
    const Block middle = second->allocate(20 * mib, 128);
    const Block more = second->allocate(25 * mib, 128);
    ASSERT_TRUE(middle);
    ASSERT_TRUE(more);
    EXPECT_GE(second->extent().begin, arena->extent().end);
}

TEST_F(ArenaTest, MemoryOfADestroyedArenaIsFreeAgain) {
    for (int round = 0; round < 10; ++round) {
        auto other = std::make_shared<Arena>(heap);
        EXPECT_TRUE(other->allocate(30 * mib, 128)) << round;
    }
}

TEST_F(ArenaTest, NamesTheBlockOfAnAddress) {
    const Block first = arena->allocate(100, 64);
    const Block second = arena->allocate(200, 64);
    EXPECT_EQ(arena->allocation_at(first.address() + 99).number, 1u);
    const Allocation found = arena->allocation_at(second.address() + 1);
    EXPECT_EQ(found.number, 2u);
    EXPECT_EQ(found.address, second.address());
    EXPECT_EQ(found.bytes, 200u);
    EXPECT_EQ(arena->allocation_at(second.address() + 1000).number, 2u); // the last one before
    EXPECT_EQ(arena->allocations().size(), 2u);
}

TEST_F(ArenaTest, QuarantineKeepsReleasedMemoryUntilMuchIsReleasedOrNoneIsLeft) {
    arena->quarantine_released();
    const uint64_t address = arena->allocate(100, 64).address(); // freed at once
    const Block next = arena->allocate(100, 64);
    EXPECT_NE(next.address(), address);
    const Allocation found = arena->allocation_at(address);
    EXPECT_TRUE(found.is_released);
    EXPECT_EQ(found.bytes, 100u);
    EXPECT_EQ(arena->allocations().size(), 1u);
    for (int n = 0; n < 64; ++n)
        EXPECT_TRUE(arena->allocate(mib, 4096));
    EXPECT_FALSE(arena->allocation_at(address).is_released);
    EXPECT_TRUE(arena->allocate(mib, 4096));
    EXPECT_TRUE(arena->allocate(60 * mib, 128)); // takes what is in quarantine, too
}

} // namespace
} // namespace rivulet
