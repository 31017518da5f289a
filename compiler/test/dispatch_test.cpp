// SPDX-License-Identifier: Apache-2.0
//
// runtime/dispatch.c against its promise: every work-item once, whatever the NDRange and the
// chunks.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/runtime/dispatch.h"

namespace {

using Ids = std::array<uint32_t, 3>;

// The launch that the kernel that runs sees.
struct Launch {
    rvl_launch_record record = {};
    rvl_launch_words words = {};
    rvl_hart_frame frame = {};
    std::map<Ids, unsigned> work_items; // how often each was run
    unsigned calls = 0;
    bool groups_are_right = true;

    Launch(Ids global, Ids local, uint32_t chunk) {
        record.dimensions = global[2] > 1 ? 3 : global[1] > 1 ? 2 : 1;
        record.total_groups = 1;
        record.chunk = chunk;
        for (size_t d = 0; d < 3; ++d) {
            record.global_size[d] = global[d];
            record.local_size[d] = local[d];
            record.group_count[d] = (global[d] + local[d] - 1) / local[d];
            record.total_groups *= record.group_count[d];
        }
    }

    // The group that the frame's groups must contain.
    [[nodiscard]] uint32_t group_of(const Ids &item) const {
        uint32_t number = 0;
        for (size_t d : {2u, 1u, 0u})
            number = number * record.group_count[d] + item[d] / record.local_size[d];
        return number;
    }

    void add(const Ids &item) {
        ++work_items[item];
        groups_are_right &= group_of(item) - frame.first_group < frame.groups;
    }

    template <class Kernel> void dispatch(Kernel *kernel, rvl_call call) {
        current = this;
        auto *any = reinterpret_cast<rvl_kernel *>(reinterpret_cast<uintptr_t>(kernel));
        rvl_dispatch(&record, &words, &frame, any, call);
    }

    static inline Launch *current;
};

void rows(const rvl_launch_record *record, rvl_launch_words *words, rvl_hart_frame *frame,
          uint32_t x, uint32_t end_x, uint32_t y, uint32_t end_y, uint32_t z) {
    Launch &launch = *Launch::current;
    EXPECT_TRUE(record == &launch.record && words == &launch.words && frame == &launch.frame);
    EXPECT_TRUE(x < end_x && y < end_y);
    ++launch.calls;
    for (; y < end_y; ++y)
        for (uint32_t at = x; at < end_x; ++at)
            launch.add({at, y, z});
}

// Counts rows that are alike: only how many there are of each x matters.
void row(const rvl_launch_record *, rvl_launch_words *, rvl_hart_frame *, const rvl_run *run,
         uint32_t rows) {
    EXPECT_LT(run->begin, run->end);
    EXPECT_GT(rows, 0u);
    ++Launch::current->calls;
    for (uint32_t x = run->begin; x < run->end; ++x)
        Launch::current->work_items[{x, 0, 0}] += rows;
}

void once(const rvl_launch_record *, rvl_launch_words *, rvl_hart_frame *) {
    ++Launch::current->calls;
}

// Interrupts the launch, which the firmware does when another launch needs the hart.
void interrupted(const rvl_launch_record *record, rvl_launch_words *words, rvl_hart_frame *frame,
                 const rvl_run *run, uint32_t rows) {
    words->yield = 1;
    row(record, words, frame, run, rows);
}

void expect_all_once(const Ids &global, const Ids &local, uint32_t chunk) {
    SCOPED_TRACE(testing::PrintToString(global) + " in groups of " + testing::PrintToString(local) +
                 ", chunks of " + std::to_string(chunk));
    Launch by_rows(global, local, chunk);
    by_rows.dispatch(rows, RVL_CALL_ROWS);
    EXPECT_EQ(by_rows.work_items.size(), size_t(global[0]) * global[1] * global[2]);
    EXPECT_TRUE(by_rows.groups_are_right);
    EXPECT_TRUE(
        std::ranges::all_of(by_rows.work_items, [](const auto &item) { return item.second == 1; }));
    Launch alike(global, local, chunk);
    alike.dispatch(row, RVL_CALL_ROW);
    EXPECT_EQ(alike.work_items.size(), global[0]);
    EXPECT_TRUE(std::ranges::all_of(alike.work_items, [&](const auto &item) {
        return item.first[0] < global[0] && item.second == global[1] * global[2];
    }));
}

TEST(Dispatch, RunsEachWorkItemOnce) {
    std::mt19937 random(7);
    const auto below = [&](uint32_t limit) { return uint32_t(random() % limit); };
    for (int i = 0; i < 3000; ++i) {
        const Ids most = i % 3 == 0 ? Ids{300, 1, 1} : i % 3 == 1 ? Ids{24, 24, 1} : Ids{10, 9, 8};
        Ids global, local;
        for (size_t d = 0; d < 3; ++d) {
            global[d] = 1 + below(most[d]);
            local[d] = 1 + below(global[d]); // the last group is uneven, mostly
        }
        expect_all_once(global, local, 1 + below(below(4) ? 8 : 400));
        if (HasFailure())
            return;
    }
}

TEST(Dispatch, WholeRowsOfGroupsAreOneCall) {
    Launch launch({64, 40, 3}, {8, 4, 1}, 1000);
    launch.dispatch(rows, RVL_CALL_ROWS);
    EXPECT_EQ(launch.calls, 3u);
    Launch by_rows({64, 40, 3}, {8, 4, 1}, 16); // two rows of groups a chunk
    by_rows.dispatch(rows, RVL_CALL_ROWS);
    EXPECT_EQ(by_rows.calls, 15u);
    Launch one_dimension({1000, 1, 1}, {10, 1, 1}, 50);
    one_dimension.dispatch(row, RVL_CALL_ROW);
    EXPECT_EQ(one_dimension.calls, 2u);
}

TEST(Dispatch, LeavesAfterAChunkWhenAsked) {
    Launch launch({100, 1, 1}, {10, 1, 1}, 3);
    launch.dispatch(interrupted, RVL_CALL_ROW);
    EXPECT_EQ(launch.work_items.size(), 30u);
    EXPECT_EQ(launch.frame.first_group, 0u);
    EXPECT_EQ(launch.frame.groups, 3u);
    launch.dispatch(interrupted, RVL_CALL_ROW); // entered again, it goes on
    EXPECT_EQ(launch.work_items.size(), 60u);
    EXPECT_EQ(launch.frame.first_group, 3u);
}

TEST(Dispatch, LeavesChunksToAKernelThatTakesThem) {
    Launch launch({100, 1, 1}, {10, 1, 1}, 3);
    launch.dispatch(once, RVL_CALL_ONCE);
    EXPECT_EQ(launch.calls, 1u);
    EXPECT_EQ(launch.words.next_group, 0u);
}

} // namespace
