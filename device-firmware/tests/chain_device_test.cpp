// SPDX-License-Identifier: Apache-2.0
//
// Chains of launches, which stay in the ring until it is their turn, on a device. RIVULET_MACHINE
// names the machine.
#include <algorithm>
#include <map>
#include <random>

#include "device-firmware/tests/device_fixture.h"

namespace rivulet::firmware {
namespace {

class Chain : public Device {
protected:
    void SetUp() override {
        Device::SetUp();
        if (HasFatalFailure())
            return;
        sum = allocate(8);
        clear(sum);
    }
    /// A launch that does `sum = 3 * sum + number`, so that the sum tells the order. Launches of
    /// the same number and stack have a record in common.
    rvl_slot append_number(uint32_t number, uint32_t stack_bytes = 1024, uint32_t context = 0,
                           uint32_t stream = 1) {
        Task task{.kernel = append,
                  .p = sum,
                  .q = number,
                  .stream = stream,
                  .context = context,
                  .stack_bytes = stack_bytes};
        const auto known = records.find({number, stack_bytes});
        if (known != records.end())
            return command(task, known->second);
        const rvl_slot made = command(task);
        records[{number, stack_bytes}] = made.launch.record;
        return made;
    }
    void expect_sum(const std::vector<uint32_t> &numbers) {
        uint32_t expected = 0;
        for (const uint32_t number : numbers)
            expected = expected * 3 + number;
        EXPECT_EQ(value<uint32_t>(sum), expected);
    }
    /// Takes completions while the rings are full.
    void submit_or_take(const rvl_slot &slot) {
        for (;;) {
            const auto sent = device->submit({&slot, 1});
            ASSERT_TRUE(sent) << sent.error().message;
            if (*sent)
                return;
            ASSERT_TRUE(take_completions());
        }
    }
    /// None if there is room for commands again.
    bool take_completions() {
        const auto slots = device->completions(std::chrono::seconds(20));
        if (slots)
            for (const rvl_slot &done : *slots)
                arrived.push_back(done.completion);
        return slots.has_value();
    }
    rvl_completion next_completion() {
        for (int i = 0; i < 3 && arrived.empty(); ++i)
            EXPECT_TRUE(take_completions());
        return completion();
    }
    void expect(uint32_t launch, rvl_result result = RVL_RESULT_OK) {
        const rvl_completion done = next_completion();
        EXPECT_EQ(done.launch, launch);
        EXPECT_EQ(done.result, result) << launch;
    }
    /// A launch behind which the chain stays in the ring until the gate is open.
    uint32_t submit_gate() {
        gate = allocate(8);
        clear(gate);
        submit(command({.kernel = wait, .p = gate}));
        return launches;
    }

    uint64_t sum = 0, gate = 0;
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> records;
};

TEST_F(Chain, LongerThanTheRingRunsInOrder) {
    const uint32_t length = 3 * device->hello().command_slots;
    const uint32_t first = launches + 1;
    std::vector<uint32_t> numbers;
    for (uint32_t i = 0; i < length; ++i) {
        numbers.push_back(i % 7);
        submit_or_take(append_number(i % 7));
    }
    for (uint32_t i = 0; i < length; ++i)
        expect(first + i);
    expect_sum(numbers);
}

TEST_F(Chain, OfDifferentKernelsContextsAndLimitsRunsInOrder) {
    const uint32_t seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    std::vector<uint32_t> numbers;
    const uint32_t first = launches + 1;
    uint32_t stack = 1024, context = 0;
    for (uint32_t i = 0; i < 1000; ++i) {
        if (random() % 8 == 0)
            stack = 1024u << random() % 4;
        if (random() % 32 == 0)
            context = random() % 3;
        numbers.push_back(random() % 5);
        rvl_slot slot = append_number(numbers.back(), stack, context);
        slot.launch.time_limit = random() % 2 ? 10'000 : 0;
        submit_or_take(slot);
    }
    for (uint32_t i = 0; i < 1000; ++i)
        expect(first + i);
    expect_sum(numbers);
}

TEST_F(Chain, IsReportedOnlyWhereItIsNotSilent) {
    submit_gate();
    std::vector<uint32_t> numbers;
    for (uint32_t i = 0; i < 200; ++i) {
        numbers.push_back(i % 5);
        rvl_slot slot = append_number(i % 5);
        if (i % 10 != 9)
            slot.header.flags |= RVL_FLAG_SILENT;
        submit(slot);
    }
    const uint32_t last = launches;
    set(gate);
    expect(last - 200);
    for (uint32_t i = 9; i < 200; i += 10)
        expect(last - 199 + i);
    expect_sum(numbers);
}

TEST_F(Chain, GoesOnBehindAKilledKernel) {
    std::vector<uint32_t> numbers;
    for (uint32_t round = 0; round < 3; ++round) {
        const uint64_t begun = allocate(8);
        clear(begun);
        const uint32_t first = launches + 1;
        for (uint32_t i = 0; i < 41; ++i)
            if (i == 20) {
                submit(command({.kernel = spin, .p = begun, .time_limit = round ? 50u : 0u}));
            } else {
                numbers.push_back(i % 5);
                submit(append_number(i % 5));
            }
        if (round == 0) {
            while (value<uint32_t>(begun) == 0)
                std::this_thread::yield();
            kill(first + 20);
        }
        for (uint32_t i = 0; i < 41; ++i)
            expect(first + i, i != 20      ? RVL_RESULT_OK
                              : round == 0 ? RVL_RESULT_KILLED
                                           : RVL_RESULT_TIME_LIMIT);
        expect_sum(numbers);
    }
}

TEST_F(Chain, SkipsWhatNeedsTheSuccessOfAFault) {
    submit_gate();
    const uint32_t first = launches;
    std::vector<uint32_t> numbers;
    for (uint32_t i = 1; i <= 60; ++i) {
        rvl_slot slot = i == 20 ? command({.kernel = illegal}) : append_number(i % 5);
        if (i <= 40)
            slot.header.flags |= RVL_FLAG_ON_SUCCESS;
        if (i < 20 || i > 40)
            numbers.push_back(i % 5);
        submit(slot);
    }
    set(gate);
    for (uint32_t i = 0; i <= 60; ++i)
        expect(first + i, i == 20             ? RVL_RESULT_FAULT
                          : i > 20 && i <= 40 ? RVL_RESULT_SKIPPED
                                              : RVL_RESULT_OK);
    expect_sum(numbers);
}

// What the firmware reads when it is their turn, it checks then.
TEST_F(Chain, IsCheckedWhenItIsTakenFromTheRing) {
    const rvl_hello &hello = device->hello();
    submit_gate();
    const uint32_t first = launches;
    const uint64_t tail_at =
        hello.command_ring - sizeof(rvl_mailbox) + offsetof(rvl_mailbox, commands.tail.value);
    const uint32_t from = value<uint32_t>(tail_at);
    for (uint32_t i = 1; i <= 30; ++i)
        submit(append_number(i % 5));
    const auto change = [&](uint32_t launch, size_t field, auto content) {
        const uint64_t slot =
            hello.command_ring + (from + launch - 1) % hello.command_slots * sizeof(rvl_slot);
        EXPECT_TRUE(device->write(slot + field, std::as_bytes(std::span(&content, 1))));
    };
    const auto before_heap = static_cast<uint32_t>(hello.heap_base / RVL_PAGE_BYTES - 1);
    change(10, offsetof(rvl_slot, launch.arena_page), before_heap); // may have been read before
    change(12, offsetof(rvl_slot, launch.record), hello.heap_base - RVL_PAGE_BYTES);
    change(14, offsetof(rvl_slot, launch.launch), uint32_t{0});
    change(16, offsetof(rvl_slot, header), uint64_t{0});
    change(18, offsetof(rvl_slot, launch.stream), uint32_t{77}); // no longer ordered behind 17
    set(gate);
    std::vector<rvl_completion> done;
    for (uint32_t i = 0; i <= 30; ++i)
        done.push_back(completion());
    const auto result_of = [&](uint32_t launch) {
        const auto found = std::ranges::find(done, launch, &rvl_completion::launch);
        return found == done.end() ? -1 : static_cast<int>(found->result);
    };
    for (uint32_t i = 0; i <= 30; ++i)
        if (i != 10 && i != 14 && i != 16)
            EXPECT_EQ(result_of(first + i), i == 12 ? RVL_RESULT_INVALID : RVL_RESULT_OK) << i;
    EXPECT_GE(std::ranges::count(done, uint32_t{RVL_RESULT_INVALID}, &rvl_completion::result), 2);
    EXPECT_EQ(std::ranges::count(done, uint32_t{RVL_RESULT_UNKNOWN}, &rvl_completion::result), 1);
}

// Records belong to the host, which may change them at any time.
TEST_F(Chain, ReadsRecordsWhenItIsTheirTurn) {
    submit_gate();
    const uint32_t first = launches;
    std::vector<rvl_slot> slots;
    for (uint32_t i = 1; i <= 30; ++i) {
        slots.push_back(command({.kernel = append, .p = sum, .q = i}));
        submit(slots.back());
    }
    const auto change = [&](uint32_t launch, size_t field, auto content) {
        EXPECT_TRUE(device->write(slots[launch - 1].launch.record + field,
                                  std::as_bytes(std::span(&content, 1))));
    };
    change(10, offsetof(rvl_launch_record, words), before_arena);
    change(12, offsetof(rvl_launch_record, total_groups), uint32_t{1} << 31);
    change(14, offsetof(rvl_launch_record, chunk), uint32_t{0});
    change(16, offsetof(rvl_launch_record, total_groups), uint32_t{0});
    change(18, offsetof(rvl_launch_record, counters), uint32_t{RVL_MAX_COUNTERS + 1});
    change(20, offsetof(rvl_launch_record, kernel), before_arena); // can't be executed
    change(22, offsetof(rvl_launch_record, version), uint32_t{9} << 16);
    change(24, offsetof(rvl_launch_record, words), code);
    change(26, offsetof(rvl_launch_record, words), code - sizeof(rvl_launch_words) / 2);
    set(gate);
    std::vector<uint32_t> numbers;
    for (uint32_t i = 0; i <= 30; ++i) {
        const bool invalid = i >= 10 && i <= 26 && i % 2 == 0 && i != 16 && i != 20;
        const rvl_completion done = completion();
        const uint32_t launch = done.launch - first;
        const rvl_result expected =
            launch == 20                                                      ? RVL_RESULT_FAULT
            : launch >= 10 && launch <= 26 && launch % 2 == 0 && launch != 16 ? RVL_RESULT_INVALID
                                                                              : RVL_RESULT_OK;
        EXPECT_EQ(done.result, expected) << launch;
        if (i != 0 && !invalid && i != 16 && i != 20)
            numbers.push_back(i);
    }
    expect_sum(numbers);
}

TEST_F(Chain, LetsAHigherPriorityGoFirst) {
    std::vector<uint32_t> numbers;
    for (uint32_t i = 0; i < 20; ++i) {
        numbers.push_back(i % 5);
        submit(append_number(i % 5));
    }
    const uint32_t gated = submit_gate();
    for (uint32_t i = 0; i < 100; ++i) {
        numbers.push_back(i % 5);
        submit(append_number(i % 5));
    }
    for (uint32_t i = 20; i > 0; --i)
        expect(gated - i);
    for (uint32_t i = 0; i < 20; ++i) {
        submit(command({.kernel = count_groups,
                        .p = out,
                        .stream = 2,
                        .context = i % 3,
                        .stack_bytes = 1024u << i % 3,
                        .priority = RVL_FLAG_HIGH}));
        expect(launches);
    }
    set(gate);
    for (uint32_t i = 0; i <= 100; ++i)
        expect(gated + i);
    expect_sum(numbers);
    EXPECT_EQ(value<uint32_t>(out), 20u);
}

TEST_F(Chain, HoldsNothingElseBack) {
    const uint32_t seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    clear(out);
    std::vector<uint32_t> numbers;
    uint32_t others = 0, expected = 0;
    for (uint32_t i = 0; i < 2000; ++i) {
        ++expected;
        const uint32_t kind = random() % 64;
        if (kind == 0) {
            rvl_slot ping = {};
            ping.header = {RVL_GROUP_BASE, RVL_BASE_PING, 0, 0, 0};
            submit_or_take(ping);
        } else if (kind == 1) {
            rvl_slot unknown = {};
            unknown.header = {RVL_GROUP_LAUNCH, RVL_LAUNCH_KILL, 0, sizeof(rvl_kill), 0};
            unknown.kill.launch = 1u << 30;
            submit_or_take(unknown);
        } else if (kind < 4) {
            ++others;
            const auto stream = static_cast<uint32_t>(2 + random() % 3);
            submit_or_take(command({.kernel = count_groups, .p = out, .stream = stream}));
        } else {
            numbers.push_back(random() % 5);
            submit_or_take(append_number(numbers.back()));
        }
        if (random() % 200 == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    for (uint32_t i = 0; i < expected; ++i)
        EXPECT_EQ(next_completion().result, RVL_RESULT_OK);
    expect_sum(numbers);
    EXPECT_EQ(value<uint32_t>(out), others);
}

// Each launch waits for the one before, in the same stream or in another one.
TEST_F(Chain, AcrossStreamsRunsInOrder) {
    const uint32_t seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    std::vector<uint32_t> numbers, expected;
    uint32_t stream = 1, before = 0;
    for (uint32_t i = 0; i < 1500; ++i) {
        const uint32_t next = 1 + random() % 3;
        if (before && next != stream)
            submit_or_take(wait_for(before, next));
        stream = next;
        numbers.push_back(random() % 5);
        submit_or_take(append_number(numbers.back(), random() % 8 ? 1024 : 4096, 0, stream));
        expected.push_back(before = launches);
    }
    for (const uint32_t launch : expected)
        expect(launch);
    expect_sum(numbers);
}

} // namespace
} // namespace rivulet::firmware
