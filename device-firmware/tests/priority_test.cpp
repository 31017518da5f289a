// SPDX-License-Identifier: Apache-2.0
//
// Priorities of launches, on host threads. preemption_test.cpp tests them on harts.
#include <array>
#include <utility>

#include "device-firmware/tests/firmware_fixture.h"

namespace rivulet::firmware {
namespace {

void note_order(const rvl_launch_record *record, rvl_launch_words *words, rvl_hart_frame *frame) {
    for_each_group(record, words, frame, [&](uint32_t) {
        auto &order = argument<std::pair<Count, std::array<uint32_t, 12>>>(record);
        order.second[order.first++] = record->printf_bytes;
    });
}

// Between those of the same priority in turn; each stream has only one.
TEST(Priority, WaitingLaunchesAreTakenByPriority) {
    Machine machine(1);
    struct {
        std::atomic<bool> entered = false, open = false;
    } gate;
    using Gate = decltype(gate);
    const auto wait = [](const rvl_launch_record *record, rvl_launch_words *words,
                         rvl_hart_frame *frame) {
        for_each_group(record, words, frame, [&](uint32_t) {
            argument<Gate>(record).entered = true;
            while (!argument<Gate>(record).open)
                std::this_thread::sleep_for(std::chrono::microseconds(100));
        });
    };
    std::pair<Count, std::array<uint32_t, 12>> order{};
    machine.launch(machine.record(wait, 1, &gate));
    EXPECT_TRUE(machine.wait_for([&] { return gate.entered.load(); }));
    constexpr uint8_t flags[] = {RVL_FLAG_LOW, 0, RVL_FLAG_HIGH};
    for (uint32_t i = 0; i < 12; ++i) {
        const uint64_t record = machine.record(note_order, 1, &order);
        machine.at<rvl_launch_record>(record)->printf_bytes = i % 3;
        machine.launch(record, {.stream = 2 + i, .flags = flags[i % 3]});
    }
    machine.ping(1);
    while (!testing::Test::HasFailure() && machine.completion().header.token != 1)
        ;
    gate.open = true;
    for (int i = 0; i < 13; ++i)
        EXPECT_EQ(machine.launch_completion().result, RVL_RESULT_OK);
    EXPECT_EQ(order.second, (std::array<uint32_t, 12>{2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0}));
}

// A kernel on a thread can't be left in the middle, so it is asked to leave at the next chunk.
TEST(Priority, LowerOnesYieldAtTheNextChunk) {
    Machine machine(1);
    std::atomic<bool> open = false;
    const auto until_open = [](const rvl_launch_record *record, rvl_launch_words *words,
                               rvl_hart_frame *frame) {
        for_each_group(record, words, frame, [&](uint32_t group) {
            if (!argument<std::atomic<bool>>(record))
                shared_word(words->next_group) = group; // endless
            std::this_thread::sleep_for(std::chrono::microseconds(10));
        });
    };
    const uint32_t lower = machine.launch(machine.record(until_open, 2, &open));
    Count count = 0;
    for (int i = 0; i < 10; ++i) {
        const uint32_t higher =
            machine.launch(machine.record(count_groups, 3, &count),
                           {.stream = 2, .flags = RVL_FLAG_BARRIER | RVL_FLAG_HIGH});
        EXPECT_EQ(machine.launch_completion().launch, higher);
    }
    open = true;
    EXPECT_EQ(machine.launch_completion().launch, lower);
}

} // namespace
} // namespace rivulet::firmware
