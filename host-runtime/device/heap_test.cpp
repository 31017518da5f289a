// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/heap.h"

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

bool lies_in(const Block &block, const Range &range) {
    return block && block.address() >= range.begin && block.address() + block.bytes() <= range.end;
}

class SecondHeap : public testing::TestWithParam<uint64_t> {
protected:
    const Range first{base, base + 16 * mib};
    const Range second{GetParam(), GetParam() + 32 * mib};
    std::shared_ptr<Heap> heap = std::make_shared<Heap>(base, first.bytes(), second);
    std::shared_ptr<Arena> arena = std::make_shared<Arena>(heap);
};

TEST_P(SecondHeap, HasWhatTheFirstHasNoRoomFor) {
    std::vector<Block> blocks;
    for (Block block; (block = arena->allocate(mib, 4096));)
        blocks.push_back(std::move(block));
    EXPECT_GE(blocks.size(), 45u);
    EXPECT_TRUE(lies_in(blocks.front(), first));
    EXPECT_TRUE(lies_in(blocks[14], first));
    for (const Block &block : blocks)
        EXPECT_TRUE(lies_in(block, arena->extent()) || lies_in(block, arena->extent(1)));
    EXPECT_TRUE(lies_in(blocks.back(), second));
    EXPECT_LE(arena->extent().end, first.end);
    EXPECT_GE(arena->extent(1).begin, second.begin);
    EXPECT_LE(arena->extent(1).end, second.end);
    blocks.clear();
    EXPECT_EQ(arena->bytes_in_use(), 0u);
    EXPECT_TRUE(lies_in(arena->allocate(31 * mib, 4096), second));
    EXPECT_TRUE(lies_in(arena->allocate(15 * mib, 4096), first));
    EXPECT_FALSE(arena->allocate(33 * mib, 4096)) << "no block spans both";
}

TEST_P(SecondHeap, IsDividedAmongContextsAndHoldsNoCode) {
    auto other = std::make_shared<Arena>(heap);
    auto code = std::make_shared<Arena>(heap, Arena::Use::code);
    std::vector<Block> blocks;
    for (Block mine, theirs;
         (mine = arena->allocate(mib, 4096)) && (theirs = other->allocate(mib, 4096));) {
        blocks.push_back(std::move(mine));
        blocks.push_back(std::move(theirs));
    }
    EXPECT_GE(blocks.size(), 20u);
    for (const size_t piece : {0, 1}) {
        const Range a = arena->extent(piece), b = other->extent(piece);
        EXPECT_NE(a.bytes() * b.bytes(), 0u);
        EXPECT_TRUE(a.end <= b.begin || b.end <= a.begin);
    }
    while (Block block = code->allocate(64 << 10, 4096)) {
        EXPECT_TRUE(lies_in(block, first));
        blocks.push_back(std::move(block));
    }
    EXPECT_EQ(code->extent(1).bytes(), 0u);
}

TEST_P(SecondHeap, TakesBackWhatIsFreedInAnyOrder) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::vector<Block> blocks;
    for (int round = 0; round < 3000; ++round) {
        if (!blocks.empty() && random() % 5 < 2) {
            std::swap(blocks[random() % blocks.size()], blocks.back());
            blocks.pop_back();
            continue;
        }
        Block block = arena->allocate(random() % (1 << 18) + 1, 128);
        if (!block)
            continue;
        ASSERT_TRUE(lies_in(block, arena->extent()) || lies_in(block, arena->extent(1)));
        for (const Block &other : blocks)
            ASSERT_TRUE(block.address() + block.bytes() <= other.address() ||
                        other.address() + other.bytes() <= block.address());
        blocks.push_back(std::move(block));
    }
    blocks.clear();
    EXPECT_TRUE(arena->allocate(arena->extent(1).bytes(), 4096));
}

INSTANTIATE_TEST_SUITE_P(Heap, SecondHeap,
                         testing::Values(base + 16 * mib,  // directly after the first
                                         base - 32 * mib,  // directly before it
                                         base + 160 * mib, // far above
                                         mib));

TEST_F(ArenaTest, LooksAtFewGapsHoweverManyThereAre) {
    for (const size_t alignment : {size_t{64}, size_t{128}, size_t{256}, size_t{4096}}) {
        std::vector<Block> blocks;
        for (int n = 0; n < 40'000; ++n)
            blocks.push_back(arena->allocate(256, 128));
        for (size_t n = 0; n < blocks.size(); n += 2)
            blocks[n] = {};
        const uint64_t before = arena->ranges_looked_at();
        std::vector<Block> larger;
        for (int n = 0; n < 1000; ++n)
            larger.push_back(arena->allocate(512, alignment));
        EXPECT_TRUE(larger.back());
        EXPECT_LE(arena->ranges_looked_at() - before, 5 * larger.size()) << alignment;
        while (Block block = arena->allocate(mib, 128)) // until it is full
            larger.push_back(std::move(block));
        const uint64_t full = arena->ranges_looked_at();
        for (int n = 0; n < 100; ++n)
            EXPECT_FALSE(arena->allocate(2 * mib, alignment));
        EXPECT_LE(arena->ranges_looked_at() - full, 100u * 20) << alignment;
    }
}

TEST_F(ArenaTest, SmallestGapWithRoomIsTaken) {
    std::vector<Block> blocks;
    for (const size_t bytes : {4096, 128, 1024, 128, 2048, 128})
        blocks.push_back(arena->allocate(bytes, 128));
    const uint64_t address = blocks[2].address();
    for (const size_t freed : {0, 2, 4})
        blocks[freed] = {};
    EXPECT_EQ(arena->allocate(900, 128).address(), address);
}

/// Arenas as used by contexts.
struct TestContext {
    explicit TestContext(const std::shared_ptr<Heap> &heap)
        : code(std::make_shared<Arena>(heap, Arena::Use::code)),
          records(code->allocate(16 * 4096, 4096)), arena(std::make_shared<Arena>(code)) {}
    std::shared_ptr<Arena> code;
    Block records;
    std::shared_ptr<Arena> arena;
    std::vector<Block> blocks;
    bool add(size_t bytes) {
        blocks.push_back(arena->allocate(bytes, 128));
        return bool(blocks.back());
    }
    size_t fill(size_t bytes) {
        while (add(bytes)) {
        }
        blocks.pop_back();
        return blocks.size();
    }
    Lease lease() { return Lease(*arena); }
};

bool overlap(const Range &a, const Range &b) { return a.begin < b.end && b.begin < a.end; }
bool contains(const Range &range, uint64_t address, size_t bytes) {
    return address >= range.begin && address + bytes <= range.end;
}

class Contexts : public testing::Test {
protected:
    std::shared_ptr<Heap> heap = std::make_shared<Heap>(base, 64 * mib);
};

TEST_F(Contexts, FindAllThatOthersHaveFreed) {
    TestContext a(heap), b(heap);
    const size_t most = a.fill(mib);
    EXPECT_GE(most, 54u);
    EXPECT_FALSE(b.add(4 * mib));
    a.blocks.clear();
    EXPECT_GE(b.fill(mib), most);
    b.blocks.clear();
    TestContext c(heap);
    EXPECT_TRUE(c.add(most * mib - 8 * mib)) << "in one piece";
    c.blocks.clear();
    EXPECT_TRUE(a.add(most * mib - 8 * mib));
}

TEST_F(Contexts, GiveBackWhatIsFreeAtTheirEnds) {
    TestContext a(heap), b(heap);
    a.fill(mib);
    a.blocks.resize(8);
    EXPECT_GE(b.fill(mib), 40u);
    b.blocks.erase(b.blocks.begin() + 2, b.blocks.end());
    EXPECT_GE(a.fill(mib), 30u) << "below the other one, which is in the middle";
}

TEST_F(Contexts, HundredThatFreedAllAreInNobodysWay) {
    std::vector<std::unique_ptr<TestContext>> contexts;
    for (int n = 0; n < 100; ++n) {
        contexts.push_back(std::make_unique<TestContext>(heap));
        ASSERT_TRUE(contexts.back()->records) << n;
        if (n < 8) {
            ASSERT_TRUE(contexts.back()->add(20 * mib)) << n;
            contexts.back()->blocks.clear();
        }
        ASSERT_TRUE(contexts.back()->add(mib / 4)) << n;
        contexts.back()->blocks.clear();
    }
}

// Later arenas, code in particular, leave existing ones room to grow.
TEST_F(Contexts, ThatAreMadeLaterTakeNobodysRoomToGrow) {
    std::vector<std::unique_ptr<TestContext>> contexts;
    for (int n = 0; n < 8; ++n) {
        contexts.push_back(std::make_unique<TestContext>(heap));
        ASSERT_TRUE(contexts.back()->add(mib / 8)) << n;
        const Lease lease = contexts.back()->lease(); // keeps what is given back meanwhile
        ASSERT_TRUE(contexts.back()->add(4 * mib)) << n;
        contexts.back()->blocks.pop_back();
        TestContext other(heap);
        ASSERT_TRUE(other.add(4096)) << n;
        ASSERT_TRUE(contexts.back()->add(2 * mib)) << n;
        contexts.back()->blocks.pop_back();
        if (n % 3 == 2)
            contexts.erase(contexts.begin());
    }
    for (const auto &context : contexts)
        EXPECT_TRUE(context->add(2 * mib));
}

// Both while its launches run and afterwards.
TEST_F(Contexts, WhatLaunchesMayReachIsNobodyElsesUntilTheyHaveEnded) {
    TestContext a(heap), b(heap);
    a.fill(mib);
    auto early = std::make_unique<Lease>(a.lease());
    const Range reached = early->buffers;
    a.blocks.clear();
    const Lease late = a.lease(); // does not know what is free by now
    EXPECT_FALSE(overlap(late.buffers, reached));
    ASSERT_FALSE(b.add(4 * mib));
    b.fill(4096);
    for (const Block &block : b.blocks)
        ASSERT_FALSE(overlap(reached, {block.address(), block.address() + block.bytes()}));
    early.reset();
    EXPECT_TRUE(b.add(40 * mib));
}

TEST_F(Contexts, LeasesHoldAndShareNothingWhateverHappens) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::vector<std::unique_ptr<TestContext>> contexts;
    struct Held {
        size_t context;
        Lease lease;
    };
    std::vector<Held> leases;
    for (int n = 0; n < 5; ++n)
        contexts.push_back(std::make_unique<TestContext>(heap));
    for (int round = 0; round < 10'000; ++round) {
        const size_t chosen = random() % contexts.size();
        TestContext &context = *contexts[chosen];
        switch (random() % 6) {
        case 0:
        case 1:
            context.add(random() % (random() % 4 ? 20'000 : 8 * mib) + 1);
            if (!context.blocks.back())
                context.blocks.pop_back();
            break;
        case 2:
        case 3:
            if (context.blocks.empty())
                break;
            std::swap(context.blocks[random() % context.blocks.size()], context.blocks.back());
            context.blocks.pop_back();
            break;
        case 4:
            if (random() % 8 == 0)
                context.blocks.clear();
            leases.push_back({chosen, context.lease()});
            break;
        default:
            if (leases.empty())
                break;
            std::swap(leases[random() % leases.size()], leases.back());
            leases.pop_back();
        }
        // Each launch can access its words and its context's current blocks, but no other
        // context's.
        const Lease now = context.lease();
        ASSERT_FALSE(now.buffers.empty());
        ASSERT_TRUE(contains(now.buffers, now.words, 4096));
        ASSERT_TRUE(contains(now.code, context.records.address(), context.records.bytes()));
        for (const Block &block : context.blocks) {
            ASSERT_TRUE(contains(now.buffers, block.address(), block.bytes()));
            ASSERT_FALSE(overlap({now.words, now.words + 4096},
                                 {block.address(), block.address() + block.bytes()}));
        }
        for (const auto &[other, lease] : leases)
            if (other != chosen)
                for (const Range &range : {now.buffers, now.code})
                    ASSERT_FALSE(overlap(range, lease.buffers) || overlap(range, lease.code));
    }
}

TEST_P(SecondHeap, IsGivenBackToo) {
    TestContext a(heap), b(heap);
    const size_t most = a.fill(mib);
    EXPECT_GE(most, 40u);
    auto lease = std::make_unique<Lease>(a.lease());
    EXPECT_NE(lease->second_buffers.bytes(), 0u);
    a.blocks.clear();
    EXPECT_FALSE(b.add(20 * mib));
    lease.reset();
    EXPECT_GE(b.fill(mib), most);
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
    EXPECT_TRUE(arena->allocate(60 * mib, 128)); // reuses what is in quarantine, too
}

} // namespace
} // namespace rivulet
