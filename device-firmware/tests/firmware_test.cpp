// SPDX-License-Identifier: Apache-2.0
//
// The portable part of the firmware, on threads.

#include <map>
#include <random>

#include "device-firmware/tests/firmware_fixture.h"

namespace rivulet::firmware {
namespace {

struct Sequence {
    uint32_t value = 0; // not atomic: barriers order the launches
    bool in_order = true;
};
struct Step {
    Sequence *sequence;
    uint32_t number;
};
void next_in_sequence(const rvl_launch_record *record, rvl_launch_words *words,
                      rvl_hart_frame *frame) {
    for_each_group(record, words, frame, [&](uint32_t) {
        auto &step = argument<Step>(record);
        step.sequence->in_order &= step.sequence->value++ == step.number;
    });
}

TEST(Hello, SaysWhoAnswers) {
    Machine machine(3);
    ASSERT_EQ(machine.state(), RVL_STATE_RUNNING);
    const rvl_hello &hello = machine.hello();
    EXPECT_EQ(hello.magic, RVL_MAILBOX_MAGIC);
    EXPECT_EQ(hello.protocol, RVL_PROTOCOL_VERSION);
    EXPECT_EQ(hello.harts, 3u);
    EXPECT_STREQ(hello.isa, "host");
    EXPECT_GE(hello.local_memory_bytes, 64u << 10);
    EXPECT_NE(machine.log().find("3 harts"), std::string::npos);
}

TEST(Hello, OtherProtocolMajorIsRefusedWithALine) {
    Machine machine(1, RVL_PROTOCOL_VERSION + RVL_VERSION(1, 0));
    EXPECT_EQ(machine.state(), RVL_STATE_REFUSED);
    EXPECT_NE(machine.log().find("refused"), std::string::npos);
}

TEST(Hello, NewerMinorIsServed) {
    Machine machine(1, RVL_PROTOCOL_VERSION + RVL_VERSION(0, 1));
    EXPECT_EQ(machine.state(), RVL_STATE_RUNNING);
}

TEST(Start, RefusesConfigurationsThatMakeNoSense) {
    EXPECT_EQ(rvl_firmware_host_start(nullptr), nullptr);
    rvl_firmware_host_config config = {};
    EXPECT_EQ(rvl_firmware_host_start(&config), nullptr);
}

TEST(Start, SeveralInstancesLiveInOneProcess) {
    Machine first(2), second(1);
    Count a = 0, b = 0;
    EXPECT_EQ(first.run(first.record(count_groups, 10, &a)), RVL_RESULT_OK);
    EXPECT_EQ(second.run(second.record(count_groups, 20, &b)), RVL_RESULT_OK);
    EXPECT_EQ(a, 10u);
    EXPECT_EQ(b, 20u);
}

TEST(Ping, RepeatsTokenAndTellsTheTime) {
    Machine machine(1);
    machine.ping(4711);
    rvl_slot slot = machine.completion();
    EXPECT_EQ(slot.header.token, 4711);
    EXPECT_EQ(slot.header.flags & RVL_FLAG_COMPLETION, RVL_FLAG_COMPLETION);
    EXPECT_EQ(slot.completion.start, slot.completion.end);
    EXPECT_NE(slot.completion.start, 0u);
}

TEST(Command, UnknownServiceIsAnsweredSo) {
    Machine machine(1);
    rvl_slot slot = {};
    slot.header = {77, 1, 0, 0, 5};
    machine.submit(slot);
    rvl_slot answer = machine.completion();
    EXPECT_EQ(answer.completion.result, RVL_RESULT_UNKNOWN);
    EXPECT_EQ(answer.header.token, 5);
}

TEST(Command, TooShortPayloadIsInvalid) {
    Machine machine(1);
    rvl_slot slot = machine.launch_slot(machine.record(count_groups, 1), {});
    slot.header.length = 8;
    machine.submit(slot);
    EXPECT_EQ(machine.completion().completion.result, RVL_RESULT_INVALID);
}

TEST(Command, WithoutABellIsFoundByTheNextHeartbeat) {
    Machine machine(2);
    for (uint16_t token = 1; token <= 5; ++token) {
        rvl_slot slot = {};
        slot.header = {RVL_GROUP_BASE, RVL_BASE_PING, 0, 0, token};
        machine.write(slot);
        EXPECT_EQ(machine.completion().header.token, token);
    }
}

TEST(Command, BellsWithoutCommandsDoNoHarm) {
    Machine machine(2);
    std::atomic<bool> over = false;
    std::jthread ringer([&] {
        while (!over)
            machine.ring();
    });
    for (uint16_t token = 1; token <= 200; ++token) {
        machine.ping(token);
        EXPECT_EQ(machine.completion().header.token, token);
    }
    over = true;
}

TEST(Command, DamagedRingIsLeftAloneUntilItMakesSense) {
    Machine machine(2);
    machine.ping(1);
    EXPECT_EQ(machine.completion().header.token, 1u);
    const uint32_t tail = machine.tail();
    for (uint32_t damage : {5000u, 1u << 31, 0u - 1}) {
        machine.set_tail(tail + damage);
        machine.ring();
        std::string log;
        EXPECT_TRUE(machine.wait_for([&] {
            log += machine.log();
            return log.find("damaged the command ring") != log.npos;
        }));
    }
    EXPECT_FALSE(machine.completions_wait());
    machine.set_tail(tail);
    machine.ping(2);
    EXPECT_EQ(machine.completion().header.token, 2u);
}

TEST(Command, TornSlotsDoNoHarm) {
    Machine machine(3);
    std::mt19937_64 random(7);
    Count count = 0;
    const rvl_slot good = machine.launch_slot(machine.record(count_groups, 4, &count), {});
    for (int round = 0; round < 2000; ++round) {
        rvl_slot slot = good; // torn: partly from another command
        std::array<uint64_t, 8> words;
        std::memcpy(words.data(), &slot, sizeof slot);
        for (uint64_t flips = 1 + random() % 3; flips; --flips)
            words[random() % words.size()] = random();
        std::memcpy(&slot, words.data(), sizeof slot);
        slot.launch.launch = 1000000 + static_cast<uint32_t>(round);
        machine.submit(slot);
        while (machine.completions_wait())
            (void)machine.completion();
    }
    const uint32_t last = machine.launch(machine.record(count_groups, 4, &count));
    while (!testing::Test::HasFailure() && machine.completion().completion.launch != last)
        ;
    EXPECT_EQ(machine.state(), RVL_STATE_RUNNING);
}

void copy_word(const rvl_launch_record *record, rvl_launch_words *words, rvl_hart_frame *frame) {
    for_each_group(record, words, frame, [&](uint32_t) {
        auto &word = argument<uint32_t>(record);
        (&word)[RVL_LARGEST_CACHE_BLOCK] = word;
    });
}

TEST(Caches, HoldWhatKernelsWroteUntilCleanedAndWhatTheyReadUntilInvalidated) {
    if (!noncoherent())
        GTEST_SKIP() << "RIVULET_TEST_NONCOHERENT is not set";
    Machine machine(2);
    const uint64_t from = machine.allocate(4096),
                   to = from + RVL_LARGEST_CACHE_BLOCK * sizeof(uint32_t);
    const uint64_t record = machine.record(copy_word, 1, reinterpret_cast<void *>(from));
    *machine.at<uint32_t>(from) = 7;
    ASSERT_EQ(machine.run(record), RVL_RESULT_OK);
    machine.clean(to, 4);
    EXPECT_EQ(*machine.at<uint32_t>(to), 0u) << "what was not invalidated was read";
    machine.invalidate(from, 4);
    ASSERT_EQ(machine.run(record), RVL_RESULT_OK);
    EXPECT_EQ(*machine.at<uint32_t>(to), 0u) << "what was not cleaned arrived";
    machine.clean(to, 4);
    EXPECT_EQ(*machine.at<uint32_t>(to), 7u);
}

// Everything the firmware writes for the host arrives, and everything the host writes is seen: each
// of these tests fails with the harts' caches if one line that maintains them is removed.
TEST(Caches, LetTheHostSeeStatisticsAndSignsOfLife) {
    Machine machine(1);
    Count count = 0;
    const auto *statistics = machine.at<rvl_hart_statistics>(machine.hello().statistics);
    ASSERT_EQ(machine.run(machine.record(count_groups, 7, &count)), RVL_RESULT_OK);
    EXPECT_EQ(statistics->groups, 7u);
    EXPECT_TRUE(machine.wait_for([&] { return statistics->idle != 0; }));
    EXPECT_TRUE(machine.wait_for([&] { return machine.mailbox().heartbeat.count > 2; }));
    const uint32_t wakes = shared_word(machine.mailbox().wake_count[0]);
    EXPECT_TRUE(machine.wait_for([&] {
        machine.ring();
        return shared_word(machine.mailbox().wake_count[0]) != wakes;
    }));
}

void copy_printf_used(const rvl_launch_record *record, rvl_launch_words *words,
                      rvl_hart_frame *frame) {
    for_each_group(record, words, frame,
                   [&](uint32_t) { argument<Count>(record) = words->printf_used++; });
}

TEST(Caches, GoWithTheWordsOfALaunchBothWays) {
    Machine machine(1);
    Count seen = 0;
    const uint64_t record = machine.record(copy_printf_used, 1, &seen);
    auto *words = machine.at<rvl_launch_words>(record + RVL_PAGE_BYTES);
    for (const uint32_t value : {5u, 77u}) {
        words->printf_used = value;
        ASSERT_EQ(machine.run(record), RVL_RESULT_OK);
        EXPECT_EQ(seen, value);
        EXPECT_EQ(words->printf_used, value + 1);
    }
}

TEST(Caches, LetTheFirmwareHearOfRoomInTheLogAndOfSleepers) {
    Machine machine(1);
    const auto unknown = [&] { // a line each
        rvl_slot slot = {};
        slot.header = {RVL_GROUP_BASE, 99, RVL_FLAG_SILENT, 0, 0};
        machine.submit(slot);
        (void)machine.completion();
    };
    std::string log = machine.log();
    while (machine.mailbox().log_lost == 0)
        unknown();
    log = machine.log();
    unknown();
    EXPECT_NE(machine.log().find("unknown command"), std::string::npos);

    shared_word(machine.mailbox().host_notify_enabled.value) = 0;
    machine.ping(1);
    (void)machine.completion();
    shared_word(machine.mailbox().host_notify_enabled.value) = 1;
    const uint32_t bells = machine.bells();
    machine.ping(2);
    (void)machine.completion();
    EXPECT_TRUE(machine.wait_for([&] { return machine.bells() != bells; }));
}

TEST(Caches, AreMaintainedInTheHeapOnly) {
    Machine machine(1);
    const uint64_t heap = machine.hello().heap_base;
    const rvl_cache_ranges wrong[] = {
        {RVL_CACHE_CLEAN, 1, {{heap - 64, 64}}},
        {RVL_CACHE_CLEAN, 2, {{heap, 64}, {heap, ~0ull}}},
        {RVL_CACHE_INVALIDATE, RVL_CACHE_RANGES + 1, {}},
        {RVL_CACHE_CLEAN | RVL_CACHE_INVALIDATE, 1, {{heap, 64}}},
    };
    rvl_slot slot = {};
    slot.header = {RVL_GROUP_MEMORY, RVL_MEMORY_CACHE, 0, sizeof(rvl_cache_ranges), 0};
    for (const rvl_cache_ranges &ranges : wrong) {
        slot.cache = ranges;
        machine.submit(slot);
        EXPECT_EQ(machine.completion().completion.result, RVL_RESULT_INVALID);
    }
    slot.cache = {RVL_CACHE_INVALIDATE, 1, {{heap, 64}}};
    machine.submit(slot);
    EXPECT_EQ(machine.completion().completion.result, RVL_RESULT_OK);
}

TEST(Attach, FirmwareWithoutAHostWaitsAndBeats) {
    Machine machine(2, RVL_PROTOCOL_VERSION, false);
    EXPECT_EQ(machine.state(), RVL_STATE_DETACHED);
    EXPECT_NE(machine.log().find("waits for a host"), std::string::npos);
    const uint32_t beats = machine.heartbeats();
    EXPECT_TRUE(machine.wait_for([&] { return machine.heartbeats() != beats; }));
    rvl_slot early = {}; // no host has attached
    early.header = {RVL_GROUP_BASE, RVL_BASE_PING, 0, 0, 1};
    machine.write(early);
    EXPECT_TRUE(machine.attach(7));
    EXPECT_EQ(machine.state(), RVL_STATE_RUNNING);
    machine.ping(2);
    EXPECT_EQ(machine.completion().header.token, 2u);
    EXPECT_TRUE(machine.attach(0));
    EXPECT_EQ(machine.state(), RVL_STATE_DETACHED);
    EXPECT_TRUE(machine.attach(8));
    EXPECT_EQ(machine.state(), RVL_STATE_RUNNING);
}

TEST(Attach, HostOfAnotherMajorIsRefusedAndTheNextOneServed) {
    Machine machine(2);
    EXPECT_TRUE(machine.attach(1, RVL_PROTOCOL_VERSION + RVL_VERSION(1, 0)));
    EXPECT_EQ(machine.state(), RVL_STATE_REFUSED);
    EXPECT_TRUE(machine.attach(2));
    EXPECT_EQ(machine.state(), RVL_STATE_RUNNING);
    machine.ping(2);
    EXPECT_EQ(machine.completion().header.token, 2u);
}

TEST(Attach, DamagedRingOfTheFormerHostIsForgotten) {
    Machine machine(2);
    machine.set_tail(machine.tail() + 5000);
    EXPECT_TRUE(machine.attach(3));
    machine.ping(9);
    EXPECT_EQ(machine.completion().header.token, 9u);
}

TEST(Attach, ContextOfTheSameNumberFindsNothingOfTheFormerHosts) {
    Machine machine(1);
    uint64_t found = 1;
    const auto run = [&] {
        const uint64_t record = machine.record(leave_a_trace, 1, &found);
        machine.at<rvl_launch_record>(record)->local_bytes = 64;
        EXPECT_EQ(machine.run(record), RVL_RESULT_OK);
    };
    run();
    EXPECT_EQ(found, 0u);
    run();
    EXPECT_EQ(found, 0x5ec7e7u) << "the same context keeps its memory";
    EXPECT_TRUE(machine.attach(4));
    run();
    EXPECT_EQ(found, 0u);
}

TEST(LoadCode, CopiesWithinTheHeapOnly) {
    Machine machine(1);
    uint64_t from = machine.allocate(4096), to = machine.allocate(4096);
    std::memset(machine.at<void>(from), 0x5a, 4096);
    rvl_slot slot = {};
    slot.header = {RVL_GROUP_MEMORY, RVL_MEMORY_LOAD_CODE, 0, sizeof(rvl_load_code), 0};
    slot.load_code = {to, from, 4096, 0};
    machine.submit(slot);
    EXPECT_EQ(machine.completion().completion.result, RVL_RESULT_OK);
    EXPECT_EQ(std::memcmp(machine.at<void>(from), machine.at<void>(to), 4096), 0);

    slot.load_code = {machine.hello().heap_base - 4096, from, 4096, 0};
    machine.submit(slot);
    EXPECT_EQ(machine.completion().completion.result, RVL_RESULT_INVALID);
    slot.load_code = {to, from, ~0ull, 0};
    machine.submit(slot);
    EXPECT_EQ(machine.completion().completion.result, RVL_RESULT_INVALID);
}

TEST(Sample, RingsLieInTheHeapOnly) {
    Machine machine(2);
    constexpr uint32_t slots = 16;
    constexpr uint64_t bytes = 2 * (sizeof(rvl_sample_ring) + slots * sizeof(rvl_sample));
    const uint64_t rings = machine.allocate(4096);
    const uint64_t heap = machine.hello().heap_base, end = heap + machine.hello().heap_bytes;
    const auto asked = [&](uint64_t address, uint32_t count, uint32_t period_us,
                           uint16_t length = sizeof(rvl_sampling)) {
        rvl_slot slot = {};
        slot.header = {RVL_GROUP_BASE, RVL_BASE_SAMPLE, 0, length, 0};
        slot.sampling = {address, count, period_us};
        machine.submit(slot);
        return machine.completion().completion.result;
    };
    EXPECT_EQ(asked(rings, slots, 1000), RVL_RESULT_OK);
    EXPECT_EQ(asked(end - bytes, slots, 1000), RVL_RESULT_OK);
    EXPECT_EQ(asked(heap - RVL_CACHE_BLOCK, slots, 1000), RVL_RESULT_INVALID);
    EXPECT_EQ(asked(end - bytes + RVL_CACHE_BLOCK, slots, 1000), RVL_RESULT_INVALID);
    EXPECT_EQ(asked(rings, 1u << 31, 1000), RVL_RESULT_INVALID);
    EXPECT_EQ(asked(rings, 0, 1000), RVL_RESULT_INVALID);
    EXPECT_EQ(asked(rings, 24, 1000), RVL_RESULT_INVALID);
    EXPECT_EQ(asked(rings + 8, slots, 1000), RVL_RESULT_INVALID);
    EXPECT_EQ(asked(rings, slots, 1000, 8), RVL_RESULT_INVALID);
    EXPECT_EQ(asked(0, 0, 0), RVL_RESULT_OK); // off
    Count count = 0;
    EXPECT_EQ(machine.run(machine.record(count_groups, 4, &count)), RVL_RESULT_OK);
}

TEST(Sample, PeriodsThatLeaveKernelsNoTimeAreMadeLongerWithALine) {
    Machine machine(1);
    const auto ask = [&](uint32_t period_us) {
        rvl_slot slot = {};
        slot.header = {RVL_GROUP_BASE, RVL_BASE_SAMPLE, 0, sizeof(rvl_sampling), 0};
        slot.sampling = {machine.hello().heap_base, 16, period_us};
        machine.submit(slot);
        EXPECT_EQ(machine.completion().completion.result, RVL_RESULT_OK);
        return machine.log();
    };
    EXPECT_NE(ask(RVL_SAMPLE_LEAST_PERIOD_US - 1).find("a sample every 99 us leaves"),
              std::string::npos);
    EXPECT_EQ(ask(RVL_SAMPLE_LEAST_PERIOD_US).find("a sample every"), std::string::npos);
}

// More sets of harts than the firmware has queues, each with a launch of its own.
TEST(Launch, RunsOnItsHartsHoweverManySetsOfHartsThereAre) {
    constexpr uint32_t harts = 8, sets = 255;
    Machine machine(harts);
    Count count = 0;
    std::atomic<bool> open = false;
    const auto wait = [](const rvl_launch_record *record, rvl_launch_words *words,
                         rvl_hart_frame *frame) {
        for_each_group(record, words, frame, [&](uint32_t) {
            while (!argument<std::atomic<bool>>(record))
                std::this_thread::sleep_for(std::chrono::microseconds(100));
        });
    };
    for (uint32_t hart = 0; hart < harts; ++hart) // all are busy while the others come
        machine.launch(machine.record(wait, 1, &open),
                       {.stream = 1, .flags = 0, .harts = uint64_t{1} << hart});
    std::map<uint32_t, uint64_t> masks;
    for (uint32_t set = 1; set <= sets; ++set)
        masks[machine.launch(machine.record(count_groups, 1, &count),
                             {.stream = 1 + set % 7, .flags = 0, .harts = set})] = set;
    open = true;
    for (uint32_t i = 0; i < harts + sets && !testing::Test::HasFailure(); ++i) {
        const rvl_completion done = machine.completion().completion;
        EXPECT_EQ(done.result, RVL_RESULT_OK);
        if (const auto mask = masks.find(done.launch); mask != masks.end())
            EXPECT_EQ(done.harts & ~mask->second, 0u);
    }
    EXPECT_EQ(count, sets);
}

// A hart may take the command and find its first launch much later: its fence.i is pending until
// then.
TEST(LoadCode, IsFetchedAnewBeforeTheNextLaunch) {
    Machine machine(1);
    const uint64_t from = machine.allocate(4096), to = machine.allocate(4096);
    Count count = 0;
    for (uint32_t round = 1; round <= 3; ++round) {
        rvl_slot slot = {};
        slot.header = {RVL_GROUP_MEMORY, RVL_MEMORY_LOAD_CODE, 0, sizeof(rvl_load_code), 0};
        slot.load_code = {to, from, 4096, 0};
        machine.submit(slot);
        EXPECT_EQ(machine.completion().completion.result, RVL_RESULT_OK);
        for (int launch = 0; launch < 2; ++launch) {
            EXPECT_EQ(machine.run(machine.record(count_groups, 1, &count)), RVL_RESULT_OK);
            EXPECT_EQ(machine.fetches(), round);
        }
    }
}

class Launch : public testing::TestWithParam<uint32_t> {
protected:
    Machine machine{GetParam()};
    Count count = 0;
};
INSTANTIATE_TEST_SUITE_P(Harts, Launch, testing::Values(1u, 2u, 4u));

TEST_P(Launch, EveryGroupRunsOnce) {
    for (uint32_t chunk : {1u, 7u, 5000u}) {
        count = 0;
        EXPECT_EQ(machine.run(machine.record(count_groups, 1000, &count, chunk)), RVL_RESULT_OK);
        EXPECT_EQ(count, 1000u);
    }
}

TEST_P(Launch, OfNoGroupsEndsWell) {
    EXPECT_EQ(machine.run(machine.record(count_groups, 0, &count)), RVL_RESULT_OK);
}

TEST_P(Launch, SameRecordMayRunAgain) {
    uint64_t record = machine.record(count_groups, 10, &count);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(machine.run(record), RVL_RESULT_OK);
    EXPECT_EQ(count, 30u);
}

TEST_P(Launch, ChainOfAThousandBarriersKeepsItsOrder) {
    constexpr uint32_t length = 1000;
    Sequence sequence;
    std::vector<Step> steps(length);
    // Records are reused: a barrier ensures that the previous launch has ended.
    for (uint32_t i = 0; i < length; ++i) {
        steps[i] = {&sequence, i};
        machine.launch(machine.record(next_in_sequence, 1, &steps[i]));
    }
    for (uint32_t i = 0; i < length; ++i)
        ASSERT_EQ(machine.launch_completion().launch, i + 1);
    EXPECT_TRUE(sequence.in_order);
    EXPECT_EQ(sequence.value, length);
}

TEST_P(Launch, KillEndsItAtTheNextChunk) {
    uint32_t number = machine.launch(machine.record(spin, 100, &count));
    machine.wait_for([&] { return count > 0; });
    machine.kill(number);
    rvl_completion completion = machine.launch_completion();
    EXPECT_EQ(completion.result, RVL_RESULT_KILLED);
    EXPECT_EQ(completion.launch, number);
}

TEST_P(Launch, KillOfOneThatWaitsNeverRunsIt) {
    Gate gate;
    machine.launch(machine.record(wait_at_gate, 1, &gate));
    uint32_t waiting = machine.launch(machine.record(count_groups, 1, &count));
    machine.kill(waiting);
    rvl_completion completion = machine.launch_completion();
    EXPECT_EQ(completion.launch, waiting);
    EXPECT_EQ(completion.result, RVL_RESULT_KILLED);
    gate.open = true;
    EXPECT_EQ(machine.launch_completion().result, RVL_RESULT_OK);
    EXPECT_EQ(count, 0u);
}

TEST_P(Launch, TimeLimitEndsItWithAReport) {
    uint32_t number = machine.launch(machine.record(spin, 100, &count), {.time_limit = 5});
    rvl_completion completion = machine.launch_completion();
    EXPECT_EQ(completion.result, RVL_RESULT_TIME_LIMIT);
    ASSERT_LT(completion.fault, machine.hello().fault_slots);
    EXPECT_EQ(machine.fault(completion.fault).launch, number);
    EXPECT_EQ(machine.fault(completion.fault).kind, RVL_FAULT_TIME_LIMIT);
    EXPECT_EQ(machine.run(machine.record(count_groups, 10, &count)), RVL_RESULT_OK);
}

TEST_P(Launch, OfAnotherStreamDoesNotWaitForALongOne) {
    machine.launch(machine.record(spin, 100, &count), {.stream = 1});
    machine.wait_for([&] { return count > 0; });
    Count other = 0;
    uint32_t number = machine.launch(machine.record(count_groups, 5, &other), {.stream = 2});
    EXPECT_EQ(machine.launch_completion().launch, number);
    EXPECT_EQ(other, 5u);
}

TEST_P(Launch, SilentOnesAreHeardOnlyWhenTheyFail) {
    uint8_t silent = RVL_FLAG_BARRIER | RVL_FLAG_SILENT;
    machine.launch(machine.record(count_groups, 5, &count), {.flags = silent});
    uint32_t bad = machine.launch(machine.record(count_groups, 5, &count, 0), {.flags = silent});
    EXPECT_EQ(machine.launch_completion().launch, bad);
    EXPECT_EQ(count, 5u);
    EXPECT_FALSE(machine.completions_wait());
}

TEST_P(Launch, OnSuccessIsSkippedAfterAFailure) {
    uint8_t flags = RVL_FLAG_BARRIER | RVL_FLAG_ON_SUCCESS;
    uint64_t good = machine.record(count_groups, 1, &count);
    uint64_t bad = machine.record(count_groups, 1, &count, 0);
    EXPECT_EQ(machine.run(good, {.flags = flags}), RVL_RESULT_OK);
    EXPECT_EQ(machine.run(bad, {.flags = flags}), RVL_RESULT_INVALID);
    EXPECT_EQ(machine.run(good, {.flags = flags}), RVL_RESULT_SKIPPED);
    EXPECT_EQ(machine.run(good, {.flags = flags}), RVL_RESULT_SKIPPED);
    EXPECT_EQ(machine.run(good, {.stream = 2, .flags = flags}), RVL_RESULT_OK);
    EXPECT_EQ(machine.run(good, {.flags = RVL_FLAG_BARRIER}), RVL_RESULT_OK);
    EXPECT_EQ(machine.run(good, {.flags = flags}), RVL_RESULT_OK);
}

// What a killed launch leaves behind belongs to others soon.
TEST(OnSuccess, DependsOnNothingButTheLaunchBefore) {
    Machine machine(4);
    Count count = 0;
    Gate first, second;
    const uint8_t flags = RVL_FLAG_BARRIER | RVL_FLAG_ON_SUCCESS;
    const uint64_t good = machine.record(count_groups, 1, &count);
    std::map<uint32_t, uint32_t> results;
    const auto take = [&](int completions) {
        while (completions-- > 0) {
            const rvl_completion done = machine.launch_completion();
            results[done.launch] = done.result;
        }
    };
    const uint32_t running = machine.launch(machine.record(wait_at_gate, 1, &first));
    const uint32_t killed = machine.launch(good);
    machine.launch(machine.record(wait_at_gate, 1, &second), {.stream = 2, .flags = 0});
    machine.launch(good, {.stream = 2, .flags = 0});
    take(1);
    machine.kill(killed);
    take(1);
    const uint32_t runs = machine.launch(good, {.stream = 2, .flags = flags});
    const uint32_t skipped = machine.launch(good, {.flags = flags});
    machine.kill(running);
    machine.ping(1);
    while (!testing::Test::HasFailure() && machine.completion().header.token != 1)
        ;
    first.open = true;
    take(2);
    second.open = true;
    take(2);
    EXPECT_EQ(results[running], uint32_t{RVL_RESULT_KILLED});
    EXPECT_EQ(results[skipped], uint32_t{RVL_RESULT_SKIPPED});
    EXPECT_EQ(results[runs], uint32_t{RVL_RESULT_OK});
}

TEST_P(Launch, BarrierHoldsUntilAllEarlierOnesOfItsStreamEnded) {
    Gate gate;
    machine.launch(machine.record(wait_at_gate, 1, &gate), {.flags = 0});
    uint32_t free = machine.launch(machine.record(count_groups, 1, &count), {.stream = 2});
    if (GetParam() > 1) { // with one hart, the gate's group blocks it
        EXPECT_EQ(machine.launch_completion().launch, free);
    }
    uint32_t held = machine.launch(machine.record(count_groups, 1, &count));
    machine.ping(1);
    EXPECT_EQ(machine.completion().header.service, RVL_BASE_PING); // seen, but not run
    gate.open = true;
    rvl_completion last{};
    for (uint32_t i = 0; i < (GetParam() > 1 ? 2u : 3u); ++i)
        last = machine.launch_completion();
    EXPECT_TRUE(last.launch == held || last.launch == free);
    EXPECT_EQ(count, 2u);
}

void count_up(const rvl_launch_record *record, rvl_launch_words *words, rvl_hart_frame *frame) {
    for_each_group(record, words, frame, [&](uint32_t) {
        std::atomic_ref(words->counter[0]).fetch_add(1);
        std::atomic_ref(words->counter[1]).fetch_sub(1);
    });
}

TEST_P(Launch, CountersAreCopiedInAndOutAlongAChain) {
    uint64_t values = machine.allocate(4096);
    auto *wide = machine.at<uint64_t>(values);
    auto *narrow = machine.at<uint32_t>(values + 8);
    *wide = (1ull << 40) - 5;
    narrow[0] = 3;
    narrow[1] = 77; // not part of the counter
    machine.invalidate(values, 16);
    uint64_t record = machine.record(count_up, 10);
    auto *fields = machine.at<rvl_launch_record>(record);
    fields->counters = 2;
    fields->counter_address[0] = values;
    fields->counter_bytes[0] = 8;
    fields->counter_address[1] = values + 8;
    fields->counter_bytes[1] = 4;
    for (int i = 0; i < 3; ++i)
        machine.launch(record);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(machine.launch_completion().result, RVL_RESULT_OK);
    machine.clean(values, 16);
    EXPECT_EQ(*wide, (1ull << 40) + 25);
    EXPECT_EQ(narrow[0], static_cast<uint32_t>(-27));
    EXPECT_EQ(narrow[1], 77u);
}

void count_up_and_spin(const rvl_launch_record *record, rvl_launch_words *words,
                       rvl_hart_frame *frame) {
    std::atomic_ref(words->counter[0]).fetch_add(1);
    spin(record, words, frame);
}

TEST_P(Launch, CountersOfOneThatFailsStayAsTheyWere) {
    uint64_t value = machine.allocate(4096);
    *machine.at<uint64_t>(value) = 5;
    machine.invalidate(value, 8);
    uint64_t record = machine.record(count_up_and_spin, 1, &count);
    auto *fields = machine.at<rvl_launch_record>(record);
    fields->counters = 1;
    fields->counter_address[0] = value;
    fields->counter_bytes[0] = 8;
    EXPECT_EQ(machine.run(record, {.time_limit = 5}), RVL_RESULT_TIME_LIMIT);
    machine.clean(value, 8);
    EXPECT_EQ(*machine.at<uint64_t>(value), 5u);
}

TEST_P(Launch, FullCompletionRingLosesNothing) {
    uint32_t pings = machine.hello().completion_slots + machine.hello().command_slots / 2;
    for (uint32_t i = 0; i < pings; ++i)
        machine.ping(static_cast<uint16_t>(i));
    for (uint32_t i = 0; i < 100; ++i)
        machine.launch(machine.record(count_groups, 2, &count));
    for (uint32_t i = 0; i < pings; ++i)
        ASSERT_EQ(machine.completion().header.token, static_cast<uint16_t>(i));
    for (uint32_t i = 0; i < 100; ++i)
        ASSERT_EQ(machine.completion().completion.launch, i + 1);
    EXPECT_EQ(count, 200u);
}

TEST_P(Launch, KillIsSeenBehindMoreLaunchesThanTheFirmwareKnows) {
    uint32_t spinning = machine.launch(machine.record(spin, 100, &count));
    Count ran = 0;
    uint64_t record = machine.record(count_groups, 1, &ran);
    constexpr uint32_t behind = 1500;
    for (uint32_t i = 0; i < behind; ++i)
        machine.launch(record, {.flags = RVL_FLAG_BARRIER | RVL_FLAG_SILENT});
    machine.kill(spinning);
    EXPECT_EQ(machine.launch_completion().result, RVL_RESULT_KILLED);
    EXPECT_EQ(machine.completion().header.service, RVL_LAUNCH_KILL);
    EXPECT_EQ(machine.run(record), RVL_RESULT_OK);
    EXPECT_EQ(ran, behind + 1);
}

TEST_P(Launch, StopEndsWhatIsUnderWay) {
    machine.launch(machine.record(spin, 100, &count));
    machine.wait_for([&] { return count > 0; });
    // If this failed, the destructor would not return.
}

TEST(Harts, SpareOnesJoinAndTheMaskIsHonoured) {
    Machine machine(4);
    for (uint64_t mask : {1ull, 2ull, 0b1010ull}) {
        Gate gate;
        machine.launch(machine.record(wait_at_gate, 8, &gate), {.harts = mask});
        auto harts = static_cast<uint32_t>(std::popcount(mask));
        EXPECT_TRUE(machine.wait_for([&] { return gate.entered == harts; }));
        gate.open = true;
        EXPECT_EQ(machine.launch_completion().harts, mask);
    }
    EXPECT_EQ(machine.run(machine.record(count_groups, 1), {.harts = 1ull << 50}),
              RVL_RESULT_INVALID);
}

TEST(Harts, AreSharedOutBetweenStreams) {
    Machine machine(4);
    Count first = 0, second = 0;
    machine.launch(machine.record(spin, 100, &first), {.stream = 1});
    ASSERT_TRUE(machine.wait_for([&] { return first >= 4; }));
    machine.launch(machine.record(spin, 100, &second), {.stream = 2});
    EXPECT_TRUE(machine.wait_for([&] { return second >= 2; }));
    machine.kill(1);
    machine.kill(2);
    EXPECT_EQ(machine.launch_completion().result, RVL_RESULT_KILLED);
    EXPECT_EQ(machine.launch_completion().result, RVL_RESULT_KILLED);
}

class Refused : public testing::Test {
protected:
    rvl_result submit(const rvl_slot &slot) {
        machine.submit(slot);
        return static_cast<rvl_result>(machine.completion().completion.result);
    }
    Machine machine{2};
    Count count = 0;
    uint64_t record = machine.record(count_groups, 1, &count);
    rvl_slot slot = machine.launch_slot(record, {});
};

TEST_F(Refused, NumberZero) {
    slot.launch.launch = 0;
    EXPECT_EQ(submit(slot), RVL_RESULT_INVALID);
}
TEST_F(Refused, ArenaOutsideOfTheHeap) {
    slot.launch.arena_page -= 1;
    EXPECT_EQ(submit(slot), RVL_RESULT_INVALID);
    slot.launch.arena_page += 1;
    slot.launch.arena_pages += 1;
    EXPECT_EQ(submit(slot), RVL_RESULT_INVALID);
    slot.launch.arena_pages = UINT32_MAX;
    EXPECT_EQ(submit(slot), RVL_RESULT_INVALID);
    slot.launch.arena_pages = 0;
    EXPECT_EQ(submit(slot), RVL_RESULT_INVALID);
}
TEST_F(Refused, CodeOutsideOfTheHeap) {
    slot.launch.code_pages = slot.launch.arena_pages + 1;
    EXPECT_EQ(submit(slot), RVL_RESULT_INVALID);
}
TEST_F(Refused, RecordOutsideOfTheArenaOrNotOnAPage) {
    slot.launch.record = record + 8;
    EXPECT_EQ(submit(slot), RVL_RESULT_INVALID);
    slot.launch.record = machine.hello().heap_base + machine.hello().heap_bytes - RVL_PAGE_BYTES;
    EXPECT_EQ(submit(slot), RVL_RESULT_INVALID);
}
TEST_F(Refused, RecordThatMakesNoSense) {
    auto *fields = machine.at<rvl_launch_record>(record);
    const rvl_launch_record good = *fields;
    auto with = [&](auto change) {
        *fields = good;
        change();
        return submit(slot);
    };
    EXPECT_EQ(with([&] { fields->version = RVL_VERSION(9, 0); }), RVL_RESULT_INVALID);
    EXPECT_EQ(with([&] { fields->chunk = 0; }), RVL_RESULT_INVALID);
    EXPECT_EQ(with([&] { fields->chunk = UINT32_MAX; }), RVL_RESULT_INVALID);
    EXPECT_EQ(with([&] { fields->total_groups = 1u << 31; }), RVL_RESULT_INVALID);
    EXPECT_EQ(with([&] { fields->local_bytes = 1u << 20; }), RVL_RESULT_INVALID);
    EXPECT_EQ(with([&] { fields->saved_bytes = 8u << 20; }), RVL_RESULT_INVALID);
    EXPECT_EQ(with([&] { fields->stack_bytes = UINT32_MAX; }), RVL_RESULT_INVALID);
    EXPECT_EQ(with([&] { fields->counters = RVL_MAX_COUNTERS + 1; }), RVL_RESULT_INVALID);
    const auto counter_at = [&](uint64_t address) {
        return with([&] {
            fields->counters = 1;
            fields->counter_bytes[0] = 8;
            fields->counter_address[0] = address;
        });
    };
    EXPECT_EQ(counter_at(0), RVL_RESULT_INVALID);
    EXPECT_EQ(counter_at(machine.hello().heap_base + RVL_PAGE_BYTES - 8),
              RVL_RESULT_INVALID); // code
    EXPECT_EQ(counter_at(record + 64), RVL_RESULT_INVALID);
    EXPECT_EQ(counter_at(machine.allocate(8)), RVL_RESULT_OK);
    count = 0;
    EXPECT_EQ(with([] {}), RVL_RESULT_OK);
    EXPECT_EQ(count, 1u);
}

} // namespace
} // namespace rivulet::firmware
