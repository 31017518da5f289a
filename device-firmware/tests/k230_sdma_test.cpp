// SPDX-License-Identifier: Apache-2.0
//
// K230's copy engine (boards/k230/sdma.c) against a model of the engine and of a hart's cache that
// it bypasses. The model is written from the same description as the driver: CAVEATS.md.
#include <algorithm>
#include <cstring>
#include <set>

#include <gmock/gmock.h>
#include <sys/mman.h>

#include "device-firmware/tests/register_model.h"

extern "C" {
#include "device-firmware/drivers/copy_engine.h"
}

namespace rivulet::firmware {
namespace {

constexpr uintptr_t base = 0x80800000, channel_2 = base + 0x50 + 2 * 0x30, block = 64;
constexpr uint32_t done_2 = 1 << 2;

/// A hart's view of memory, at the addresses of jobs, and what is in memory behind its cache.
class CachedMemory {
public:
    static constexpr size_t bytes = 1 << 20;

    CachedMemory()
        : hart_(static_cast<uint8_t *>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0))),
          memory_(bytes) {}
    CachedMemory(const CachedMemory &) = delete;
    CachedMemory &operator=(const CachedMemory &) = delete;
    ~CachedMemory() { munmap(hart_, bytes); }

    [[nodiscard]] uintptr_t address(size_t offset = 0) const {
        return reinterpret_cast<uintptr_t>(hart_) + offset;
    }
    [[nodiscard]] bool holds(uintptr_t at) const {
        return at >= address() && at < address() + bytes;
    }
    uint8_t *hart(size_t offset) { return hart_ + offset; }
    uint8_t *memory(uintptr_t at) { return memory_.data() + (at - address()); }
    /// The hart writes all of its memory, and no block is written back.
    void dirty_all(uint32_t seed) {
        for (size_t i = 0; i < bytes; ++i)
            hart_[i] = static_cast<uint8_t>((i * 2654435761U + seed) >> 13);
        for (size_t i = 0; i < bytes; i += block)
            dirty_.insert(address(i));
    }
    void clean(uintptr_t at) {
        std::memcpy(memory(at), hart(at - address()), block);
        dirty_.erase(at);
    }
    void invalidate(uintptr_t at) {
        std::memcpy(hart(at - address()), memory(at), block);
        dirty_.erase(at);
    }
    /// A cache may write dirty blocks back at any time, and harts may make them dirty again.
    void write_back_all() {
        for (const uintptr_t at : dirty_)
            std::memcpy(memory(at), hart(at - address()), block);
    }

private:
    uint8_t *hart_;
    std::vector<uint8_t> memory_;
    std::set<uintptr_t> dirty_;
};

CachedMemory *cached;             // NULL: none
std::vector<uintptr_t> elsewhere; // cleaned blocks of the driver's own memory

template <typename Operation>
void for_each_block(uintptr_t address, uintptr_t bytes, Operation operation) {
    for (uintptr_t at = address & -block; at < address + bytes; at += block)
        operation(at);
}

} // namespace
} // namespace rivulet::firmware

using namespace rivulet::firmware;

extern "C" {
void copy_cache_clean(uintptr_t address, uintptr_t bytes) {
    for_each_block(address, bytes, [](uintptr_t at) {
        if (cached->holds(at))
            cached->clean(at);
        else
            elsewhere.push_back(at);
    });
}
void copy_cache_invalidate(uintptr_t address, uintptr_t bytes) {
    for_each_block(address, bytes, [](uintptr_t at) { cached->invalidate(at); });
}
}

namespace rivulet::firmware {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

class K230Sdma : public testing::Test {
protected:
    CachedMemory memory;
    device d = {};
    uint32_t transfers = 0;
    bool is_present = true, is_stuck = false, does_nothing = false;
    bool is_busy = false;

    void SetUp() override {
        cached = &memory;
        elsewhere.clear();
        memory.dirty_all(1);
        d.compatible = "canaan,k230-sdma\0";
        d.base[0] = base;
        d.bytes[0] = 0x4000;
        set_devices({d});
        model().on_read[channel_2 + 0x10] = [this] {
            return is_present ? model().memory[channel_2 + 0x10] : 0;
        };
        model().on_read[channel_2 + 4] = [this] { return is_busy ? 1u : 0u; };
        model().on_write[channel_2] = [this](uint32_t command) {
            if (command == 1)
                is_busy = !does_nothing;
            else if (!is_stuck)
                is_busy = false;
        };
        // Writing 1 clears: the map holds what was written last.
        model().on_read[base + 8] = [this] { return state_; };
        model().on_write[base + 8] = [this](uint32_t bits) { state_ &= ~bits; };
    }
    void TearDown() override { cached = nullptr; }

    /// The engine does what the descriptor says, as far as the channel is enabled.
    void finish() {
        ASSERT_TRUE(is_busy);
        ASSERT_TRUE(model().memory[base] & done_2) << "the channel is not enabled";
        const uint32_t low = model().memory[channel_2 + 0x10];
        const auto found = std::ranges::find_if(
            elsewhere, [&](uintptr_t at) { return static_cast<uint32_t>(at) == low; });
        ASSERT_NE(found, elsewhere.end()) << "the descriptor is not in memory";
        uint32_t words[6];
        std::memcpy(words, reinterpret_cast<const void *>(*found), sizeof words);
        EXPECT_EQ(words[0], 0u);
        EXPECT_EQ(words[5], 0u);
        const uint32_t from = words[1], bytes = words[2], to = words[4];
        std::memcpy(memory.memory(to), memory.memory(from), bytes);
        memory.write_back_all();
        model().memory[base] &= ~done_2;
        state_ |= done_2;
        is_busy = false;
        ++transfers;
    }
    copy_state run(copy_job &job) {
        EXPECT_TRUE(copy_engine.begin(&d, 0, &job));
        for (int i = 0; i < 1000; ++i) {
            EXPECT_EQ(copy_engine.step(&d, 0, &job), COPY_BUSY);
            finish();
            if (const copy_state state = copy_engine.step(&d, 0, &job); state != COPY_BUSY)
                return state;
        }
        return COPY_BUSY;
    }
    void expect_copied(const copy_job &job) {
        for (uintptr_t line = 0; line < job.lines; ++line)
            EXPECT_EQ(std::memcmp(reinterpret_cast<void *>(job.to + line * job.to_pitch),
                                  reinterpret_cast<void *>(job.from + line * job.from_pitch),
                                  job.bytes),
                      0)
                << "line " << line;
    }
    [[nodiscard]] copy_job job_of(size_t to, size_t from, uintptr_t bytes, uintptr_t lines = 1,
                                  uintptr_t to_pitch = 0, uintptr_t from_pitch = 0) const {
        return {memory.address(to), memory.address(from), bytes, lines, to_pitch, from_pitch, {}};
    }

private:
    uint32_t state_ = 0xfff;
};

TEST_F(K230Sdma, IsNotUsedWhereNoRegisterAnswers) {
    is_present = false;
    EXPECT_EQ(copy_engine.start(&d), 0u);
    EXPECT_THAT(model().written(channel_2), ElementsAre());
}

TEST_F(K230Sdma, IsNotUsedWhereABusAnswersWithOnes) {
    for (uintptr_t at = base; at < base + 0x200; at += 4)
        model().on_read[at] = [] { return UINT32_MAX; };
    EXPECT_EQ(copy_engine.start(&d), 0u);
    EXPECT_THAT(model().written(base + 4), ElementsAre());
    EXPECT_THAT(model().written(channel_2), ElementsAre());
}

TEST_F(K230Sdma, TellsWhetherAChannelHasStopped) {
    is_busy = is_stuck = true; // since before the harts were reset
    EXPECT_EQ(copy_engine.start(&d), 2u);
    EXPECT_EQ(model().memory[channel_2 + 0x10], 0u) << "a channel at work was changed";
    copy_job job = {};
    EXPECT_FALSE(copy_engine.stop(&d, 0, &job));
    EXPECT_TRUE(copy_engine.stop(&d, 1, &job));
    is_stuck = false;
    EXPECT_TRUE(copy_engine.stop(&d, 0, &job));
    EXPECT_FALSE(is_busy);
}

TEST_F(K230Sdma, StartMasksTheInterruptsOfItsChannelsOnly) {
    model().memory[base + 4] = 0x1000;
    EXPECT_EQ(copy_engine.start(&d), 2u);
    EXPECT_EQ(model().memory[base + 4], 0x1000u | 0x111 << 2 | 0x111 << 3);
}

TEST_F(K230Sdma, CopiesWhatTheHartSeesAndShowsItToTheHart) {
    ASSERT_EQ(copy_engine.start(&d), 2u);
    copy_job job = job_of(0x10000, 0x48, 4096);
    EXPECT_EQ(run(job), COPY_DONE);
    EXPECT_EQ(transfers, 1u);
    expect_copied(job);
}

TEST_F(K230Sdma, LongLinesAreCopiedInPieces) {
    ASSERT_EQ(copy_engine.start(&d), 2u);
    copy_job job = job_of(0x20000, 0x40000, 100 * 1024 + 64);
    EXPECT_EQ(run(job), COPY_DONE);
    EXPECT_EQ(transfers, 7u);
    expect_copied(job);
}

TEST_F(K230Sdma, LinesKeepTheirPitches) {
    ASSERT_EQ(copy_engine.start(&d), 2u);
    copy_job job = job_of(0x20000, 0x40000, 128, 5, 256, 1000);
    std::vector<uint8_t> between(memory.hart(0x20000 + 128), memory.hart(0x20000 + 256));
    EXPECT_EQ(run(job), COPY_DONE);
    EXPECT_EQ(transfers, 5u);
    expect_copied(job);
    EXPECT_EQ(std::memcmp(memory.hart(0x20000 + 128), between.data(), between.size()), 0);
}

TEST_F(K230Sdma, GoesOnWithThePieceThatWasStopped) {
    ASSERT_EQ(copy_engine.start(&d), 2u);
    copy_job job = job_of(0x20000, 0x40000, 3 * 16384);
    ASSERT_TRUE(copy_engine.begin(&d, 0, &job));
    finish();
    EXPECT_EQ(copy_engine.step(&d, 0, &job), COPY_BUSY);
    EXPECT_TRUE(copy_engine.stop(&d, 0, &job));
    EXPECT_FALSE(is_busy);
    EXPECT_EQ(run(job), COPY_DONE);
    EXPECT_EQ(transfers, 3u);
    expect_copied(job);
}

// Where it would lose other bytes of a cache block, or can't reach.
TEST_F(K230Sdma, LeavesTheRestToTheHart) {
    ASSERT_EQ(copy_engine.start(&d), 2u);
    const uintptr_t far = uintptr_t{1} << 32;
    copy_job refused[] = {
        job_of(0x10020, 0x20000, 64),
        job_of(0x10000, 0x20000, 96),
        job_of(0x10000, 0x20004, 64),
        job_of(0x10000, 0x20000, 64, 2, 96, 64),
        job_of(0x10000, 0x20000, 64, 2, 64, 68),
        {far - 64, memory.address(), 128, 1, 0, 0, {}},
        {memory.address(), far, 64, 1, 0, 0, {}},
        {far - 128, memory.address(), 64, 3, 64, 64, {}},
    };
    for (copy_job &job : refused)
        EXPECT_FALSE(copy_engine.begin(&d, 0, &job)) << job.to << ' ' << job.from;
    EXPECT_THAT(model().written(channel_2), Not(Contains(1)));
    copy_job one_line = job_of(0x10000, 0x20000, 64, 1, 3, 5);
    EXPECT_EQ(run(one_line), COPY_DONE);
}

TEST_F(K230Sdma, AnEngineThatDoesNothingFailsInTheEnd) {
    ASSERT_EQ(copy_engine.start(&d), 2u);
    does_nothing = true;
    copy_job job = job_of(0x10000, 0x20000, 64);
    ASSERT_TRUE(copy_engine.begin(&d, 0, &job));
    int looks = 1;
    while (copy_engine.step(&d, 0, &job) == COPY_BUSY && looks < 100000)
        ++looks;
    EXPECT_EQ(looks, 1000);
}

} // namespace
} // namespace rivulet::firmware
