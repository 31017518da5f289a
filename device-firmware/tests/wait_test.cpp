// SPDX-License-Identifier: Apache-2.0
//
// Commands that hold a stream until launches of other streams have ended (rvl_wait).
#include <algorithm>
#include <random>
#include <span>

#include "device-firmware/tests/firmware_fixture.h"

namespace rivulet::firmware {
namespace {

struct Gate {
    std::atomic<bool> open = false;
};
void wait_at_gate(const rvl_launch_record *record, rvl_launch_words *words, rvl_hart_frame *frame) {
    for_each_group(record, words, frame, [&](uint32_t) {
        while (!argument<Gate>(record).open)
            std::this_thread::yield();
    });
}

class Wait : public testing::TestWithParam<uint32_t> {
protected:
    struct Options {
        uint32_t stream = 2;
        uint8_t flags = RVL_FLAG_BARRIER;
        bool needs_success = true;
        bool failed = false;
    };
    uint32_t wait_for(std::span<const uint32_t> launches, Options options) {
        rvl_slot slot = {};
        slot.header = {RVL_GROUP_LAUNCH, RVL_LAUNCH_WAIT, options.flags, sizeof(rvl_wait), 0};
        slot.wait.stream = options.stream;
        slot.wait.number = machine.next_number();
        slot.wait.count = static_cast<uint8_t>(launches.size());
        slot.wait.failed = options.failed;
        slot.wait.needs_success = options.needs_success ? 0xffff : 0;
        std::ranges::copy(launches.first(std::min<size_t>(launches.size(), RVL_WAITS)),
                          slot.wait.launch);
        machine.submit(slot);
        return slot.wait.number;
    }
    uint32_t wait_for(uint32_t launch) { return wait_for({&launch, 1}, Options{}); }
    uint32_t wait_for(uint32_t launch, Options options) { return wait_for({&launch, 1}, options); }
    /// A launch behind a wait in its stream.
    uint32_t behind(uint32_t stream = 2) {
        return machine.launch(machine.record(count_groups, 1, &count),
                              {.stream = stream, .flags = RVL_FLAG_BARRIER | RVL_FLAG_ON_SUCCESS});
    }
    void expect(uint32_t launch, rvl_result result) {
        const rvl_completion completion = machine.launch_completion();
        EXPECT_EQ(completion.launch, launch);
        EXPECT_EQ(completion.result, uint32_t{result});
    }
    void see_all_commands() {
        machine.ping(1);
        EXPECT_EQ(machine.completion().header.service, RVL_BASE_PING);
    }

    static constexpr std::span<const uint32_t> none;
    Machine machine{GetParam()};
    Count count = 0;
    Gate gate;
    const uint64_t counting = machine.record(count_groups, 1, &count);
    const uint64_t waiting = machine.record(wait_at_gate, 1, &gate);
    const uint64_t invalid = machine.record(count_groups, 1, &count, 0);
};
INSTANTIATE_TEST_SUITE_P(Harts, Wait, testing::Values(1u, 2u, 4u));

TEST_P(Wait, HoldsItsStreamUntilTheLaunchHasEnded) {
    const uint32_t first = machine.launch(waiting);
    wait_for(first);
    const uint32_t held = behind();
    see_all_commands();
    EXPECT_EQ(count, 0u);
    gate.open = true;
    expect(first, RVL_RESULT_OK);
    expect(held, RVL_RESULT_OK);
    EXPECT_EQ(count, 1u);
}

TEST_P(Wait, ForALaunchThatHasEndedIsOver) {
    const uint32_t first = machine.launch(counting);
    expect(first, RVL_RESULT_OK);
    wait_for(first);
    expect(behind(), RVL_RESULT_OK);
}

TEST_P(Wait, ForOneThatFailsSkipsWhatNeedsItsSuccess) {
    const uint32_t ended = machine.launch(invalid);
    expect(ended, RVL_RESULT_INVALID);
    wait_for(ended);
    expect(behind(), RVL_RESULT_SKIPPED);
    wait_for(ended, {.stream = 3, .needs_success = false});
    expect(behind(3), RVL_RESULT_OK);

    const uint32_t first = machine.launch(waiting);
    wait_for(first);
    const uint32_t held = behind();
    see_all_commands();
    machine.kill(first);
    EXPECT_EQ(machine.completion().header.service, RVL_LAUNCH_KILL);
    gate.open = true;
    EXPECT_EQ(machine.launch_completion().result, uint32_t{RVL_RESULT_KILLED});
    expect(held, RVL_RESULT_SKIPPED);
}

TEST_P(Wait, ThatHasFailedAlreadySkipsWhatFollows) {
    wait_for(none, {.failed = true});
    expect(behind(), RVL_RESULT_SKIPPED);
    wait_for(none, {.stream = 3});
    expect(behind(3), RVL_RESULT_OK);
}

TEST_P(Wait, OfManyStreamsForOneLaunch) {
    constexpr uint32_t streams = 400;
    const uint32_t first = machine.launch(waiting);
    for (uint32_t stream = 0; stream < streams; ++stream) {
        wait_for(first, {.stream = 2 + stream});
        (void)behind(2 + stream);
    }
    see_all_commands();
    EXPECT_EQ(count, 0u);
    gate.open = true;
    for (uint32_t launch = 0; launch <= streams; ++launch)
        EXPECT_EQ(machine.launch_completion().result, uint32_t{RVL_RESULT_OK});
    EXPECT_EQ(count, streams);
}

TEST_P(Wait, ThatIsKilledLetsItsStreamGoOn) {
    const uint32_t first = machine.launch(waiting);
    const uint32_t killed = wait_for(first);
    const uint32_t skipped = behind();
    const uint32_t second = machine.launch(counting, {.stream = 2, .flags = RVL_FLAG_BARRIER});
    wait_for(second, {.stream = 3});
    const uint32_t third = behind(3);
    see_all_commands();
    machine.kill(killed);
    expect(skipped, RVL_RESULT_SKIPPED);
    gate.open = true;
    std::vector<uint32_t> ended;
    for (int i = 0; i < 3; ++i)
        ended.push_back(machine.launch_completion().launch);
    EXPECT_LT(std::ranges::find(ended, second), std::ranges::find(ended, third));
    EXPECT_EQ(count, 2u);
}

TEST_P(Wait, ForTooManyIsRefused) {
    const std::vector<uint32_t> many(RVL_WAITS + 1, 1);
    wait_for(many, {});
    expect(behind(), RVL_RESULT_SKIPPED);
    EXPECT_NE(machine.log().find("it waits for too many launches"), std::string::npos);
}

TEST_P(Wait, EndsWithItsHost) {
    const uint32_t first = machine.launch(waiting);
    for (uint32_t stream = 2; stream < 50; ++stream) {
        wait_for(first, {.stream = stream});
        (void)behind(stream);
    }
    see_all_commands();
    std::thread opens([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        gate.open = true;
    });
    EXPECT_TRUE(machine.attach(7));
    opens.join();
    EXPECT_EQ(count, 0u);
    wait_for(first); // a number of the former host
    expect(behind(), RVL_RESULT_OK);
}

struct Node {
    Count *clock;
    uint32_t begun, ended;
};
void note_times(const rvl_launch_record *record, rvl_launch_words *words, rvl_hart_frame *frame) {
    for_each_group(record, words, frame, [&](uint32_t) {
        auto &node = argument<Node>(record);
        node.begun = ++*node.clock;
        node.ended = ++*node.clock;
    });
}

TEST_P(Wait, KeepsTheOrderOfRandomGraphs) {
    const uint32_t seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    constexpr uint32_t launches = 300;
    std::vector<Node> nodes(launches, {&count, 0, 0});
    std::vector<uint32_t> numbers;
    std::vector<std::vector<uint32_t>> edges(launches);
    for (uint32_t i = 0; i < launches; ++i) {
        const uint32_t stream = 1 + random() % 12;
        std::vector<uint32_t> names;
        for (uint32_t edge = i == 0 ? 0 : random() % (RVL_WAITS + 1); edge-- > 0;) {
            const uint32_t from = random() % 2 ? i - 1 - random() % std::min(i, 8u) : random() % i;
            edges[i].push_back(from);
            names.push_back(numbers[from]);
        }
        wait_for(names, {.stream = stream, .flags = 0});
        numbers.push_back(machine.launch(machine.record(note_times, 1, &nodes[i]),
                                         {.stream = stream, .flags = RVL_FLAG_ON_SUCCESS}));
    }
    for (uint32_t i = 0; i < launches; ++i)
        EXPECT_EQ(machine.launch_completion().result, uint32_t{RVL_RESULT_OK});
    for (uint32_t i = 0; i < launches; ++i)
        for (const uint32_t from : edges[i])
            EXPECT_LT(nodes[from].ended, nodes[i].begun) << from << " before " << i;
}

} // namespace
} // namespace rivulet::firmware
