// SPDX-License-Identifier: Apache-2.0
//
// Chains of launches, which stay in the ring until it is their turn, on host threads.
// chain_device_test.cpp tests them on harts.
#include <random>

#include "device-firmware/tests/firmware_fixture.h"

namespace rivulet::firmware {
namespace {

struct Step {
    Count *steps; // that the chain has made
    std::atomic<bool> *open;
    uint32_t number;
    bool in_order = false;
};
void take_step(const rvl_launch_record *record, rvl_launch_words *words, rvl_hart_frame *frame) {
    for_each_group(record, words, frame, [&](uint32_t) {
        auto &step = argument<Step>(record);
        while (step.open && !*step.open)
            std::this_thread::yield();
        step.in_order = (*step.steps)++ == step.number;
    });
}
void take_other_step(const rvl_launch_record *record, rvl_launch_words *words,
                     rvl_hart_frame *frame) {
    take_step(record, words, frame);
}

class Chain : public testing::TestWithParam<uint32_t> {
protected:
    static constexpr uint64_t code_pages = 600;

    Chain() : code(machine.allocate(code_pages * RVL_PAGE_BYTES)), next_record(code) {}

    /// A launch whose record is among the code, where kernels can't write to it.
    rvl_slot launch_slot(Kernel *kernel, void *argument, uint32_t context = 0) {
        const uint64_t address = next_record;
        next_record += RVL_PAGE_BYTES;
        EXPECT_LE(next_record, code + code_pages * RVL_PAGE_BYTES);
        auto *record = machine.at<rvl_launch_record>(address);
        record->version = RVL_PROTOCOL_VERSION;
        record->kernel = reinterpret_cast<uint64_t>(kernel);
        record->total_groups = record->chunk = 1;
        record->words = machine.allocate(RVL_PAGE_BYTES);
        std::memcpy(record->arguments, &argument, sizeof argument);
        rvl_slot slot = machine.launch_slot(address, {});
        slot.launch.code_page = static_cast<uint32_t>(code / RVL_PAGE_BYTES);
        slot.launch.code_pages = code_pages;
        slot.launch.context = context;
        return slot;
    }
    rvl_slot step(uint32_t number, uint32_t context = 0, bool other_kernel = false,
                  std::atomic<bool> *open = nullptr) {
        auto &step = steps.emplace_back(Step{.steps = &made, .open = open, .number = number});
        return launch_slot(other_kernel ? take_other_step : take_step, &step, context);
    }
    void expect_order() {
        EXPECT_EQ(made, steps.size());
        for (const Step &step : steps)
            EXPECT_TRUE(step.in_order) << step.number;
    }

    Machine machine{GetParam()};
    Count made = 0;
    std::deque<Step> steps;
    const uint64_t code;
    uint64_t next_record;
};
INSTANTIATE_TEST_SUITE_P(Harts, Chain, testing::Values(1u, 2u, 4u));

TEST_P(Chain, OfDifferentKernelsAndContextsRunsInOrder) {
    const uint32_t seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    uint32_t context = 0;
    bool other = false;
    for (uint32_t i = 0; i < 500; ++i) {
        if (random() % 8 == 0)
            other = !other;
        if (random() % 32 == 0)
            context = random() % 3;
        machine.submit(step(i, context, other));
    }
    const uint32_t last = machine.next_number() - 1;
    for (uint32_t i = 0; i < 500; ++i) {
        const rvl_completion done = machine.launch_completion();
        EXPECT_EQ(done.launch, last - 499 + i);
        EXPECT_EQ(done.result, uint32_t{RVL_RESULT_OK});
    }
    expect_order();
}

TEST_P(Chain, StaysInTheRingButForAQuarterOfIt) {
    std::atomic<bool> open = false;
    machine.submit(step(0, 0, false, &open));
    for (uint32_t i = 1; i < 100; ++i)
        machine.submit(step(i));
    const auto in_ring = [&] { return machine.tail() - shared_word(machine.command_head()); };
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_GE(in_ring(), 97u);
    Count count = 0;
    rvl_slot again = launch_slot(count_groups, &count);
    machine.submit(again);
    for (uint32_t i = 101; i < 900; ++i) {
        again.launch.launch = machine.next_number();
        machine.submit(again);
    }
    const uint32_t slots = machine.hello().command_slots;
    EXPECT_TRUE(machine.wait_for([&] { return in_ring() <= slots * 3 / 4; }));
    EXPECT_GE(in_ring(), slots / 2);
    // A launch of another stream waits for none of them.
    if (GetParam() > 1) {
        EXPECT_EQ(machine.run(machine.record(count_groups, 1, &count), {.stream = 2}),
                  RVL_RESULT_OK);
        EXPECT_EQ(in_ring(), 0u);
    }
    open = true;
    for (uint32_t i = 0; i < 900; ++i)
        EXPECT_EQ(machine.launch_completion().result, uint32_t{RVL_RESULT_OK});
    expect_order();
    EXPECT_EQ(count, GetParam() > 1 ? 801u : 800u);
}

TEST_P(Chain, EndsWithItsHost) {
    std::atomic<bool> open = false;
    machine.submit(step(0, 0, false, &open));
    for (uint32_t i = 1; i < 100; ++i)
        machine.submit(step(i));
    std::thread opens([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        open = true;
    });
    EXPECT_TRUE(machine.attach(7));
    opens.join();
    const uint32_t before = made;
    EXPECT_LE(before, 1u);
    machine.submit(step(before));
    EXPECT_EQ(machine.launch_completion().result, uint32_t{RVL_RESULT_OK});
    EXPECT_TRUE(steps.back().in_order);
    EXPECT_FALSE(machine.completions_wait());
}

// Its stream forgets the first launch when another one, which waits for nothing, has ended beside
// it.
TEST_P(Chain, SkipsWhatFollowsAFailure) {
    if (GetParam() == 1)
        GTEST_SKIP() << "nothing runs beside the first launch";
    std::atomic<bool> first_may_end = false, second_may_end = false;
    machine.submit(step(0, 0, false, &first_may_end));
    Count count = 0;
    rvl_slot beside = launch_slot(count_groups, &count);
    beside.header.flags &= ~RVL_FLAG_BARRIER;
    machine.submit(beside);
    EXPECT_EQ(machine.launch_completion().result, uint32_t{RVL_RESULT_OK});
    const rvl_slot second = step(1, 0, false, &second_may_end);
    rvl_slot dependent = step(2);
    dependent.header.flags |= RVL_FLAG_ON_SUCCESS;
    rvl_slot ping = {}; // a chain ends in front of it
    ping.header = {RVL_GROUP_BASE, RVL_BASE_PING, 0, 0, 0};
    for (const rvl_slot &slot : {second, dependent, ping})
        machine.place(slot);
    machine.publish();
    machine.ring_if_wanted();
    EXPECT_TRUE(
        machine.wait_for([&] { return machine.tail() == shared_word(machine.command_head()); }));
    first_may_end = true;
    EXPECT_EQ(machine.launch_completion().result, uint32_t{RVL_RESULT_OK});
    machine.kill(second.launch.launch);
    EXPECT_TRUE(
        machine.wait_for([&] { return machine.tail() == shared_word(machine.command_head()); }));
    second_may_end = true;
    EXPECT_EQ(machine.launch_completion().result, uint32_t{RVL_RESULT_KILLED});
    EXPECT_EQ(machine.launch_completion().result, uint32_t{RVL_RESULT_SKIPPED});
}

TEST_P(Chain, OfAWaitThatIsOverHoldsNothingBack) {
    if (GetParam() == 1)
        GTEST_SKIP() << "nothing runs beside the first launch";
    std::atomic<bool> open = false;
    machine.submit(step(0, 0, false, &open));
    const rvl_slot killed = step(1);
    machine.submit(killed);
    machine.kill(killed.launch.launch);
    EXPECT_EQ(machine.launch_completion().result, uint32_t{RVL_RESULT_KILLED});
    rvl_slot wait = {};
    wait.header = {RVL_GROUP_LAUNCH, RVL_LAUNCH_WAIT, 0, sizeof(rvl_wait), 0};
    wait.wait.number = machine.next_number();
    wait.wait.stream = 2;
    wait.wait.count = 1;
    wait.wait.launch[0] = killed.launch.launch;
    rvl_slot behind = step(2);
    behind.launch.stream = 2;
    machine.place(wait);
    machine.place(behind);
    machine.publish();
    machine.ring_if_wanted();
    EXPECT_EQ(machine.launch_completion().launch, behind.launch.launch);
    open = true;
    EXPECT_EQ(machine.launch_completion().result, uint32_t{RVL_RESULT_OK});
}

} // namespace
} // namespace rivulet::firmware
