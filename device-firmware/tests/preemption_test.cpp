// SPDX-License-Identifier: Apache-2.0
//
// Priorities of launches, and kernels that harts leave in the middle for others. RIVULET_MACHINE
// names the machine.
#include <algorithm>
#include <random>

#include "device-firmware/tests/device_fixture.h"

namespace rivulet::firmware {
namespace {

constexpr uint32_t low = 1, normal = 2, high = 3; // streams

class Preemption : public Device {
protected:
    /// Starts an endless launch on these harts.
    uint32_t start_endless(uint64_t harts, uint8_t priority, uint32_t stream,
                           uint32_t time_limit = 0) {
        const uint64_t begun = allocate(8);
        clear(begun);
        submit(command({.kernel = spin,
                        .groups = device->hello().harts,
                        .p = begun,
                        .stream = stream,
                        .harts = harts,
                        .time_limit = time_limit,
                        .priority = priority}));
        while (value<uint32_t>(begun) < static_cast<uint32_t>(__builtin_popcountll(harts)))
            std::this_thread::yield();
        return launches;
    }
    void expect(uint32_t launch, rvl_result result) {
        const rvl_completion done = completion();
        EXPECT_EQ(done.launch, launch);
        EXPECT_EQ(done.result, result);
    }
    void end(uint32_t launch) {
        kill(launch);
        expect(launch, RVL_RESULT_KILLED);
    }
    [[nodiscard]] uint64_t all_harts() const { return (1ull << device->hello().harts) - 1; }
};

TEST_F(Preemption, KernelGoesOnWithAllItsRegisters) {
    const uint32_t vlen = device->hello().vlen;
    if (vlen == 0)
        GTEST_SKIP() << "no vector unit";
    const size_t vectors = 32 * vlen / 8;
    const uint64_t values = allocate(256 + vectors), found = allocate(512 + vectors);
    std::mt19937_64 random(5);
    std::vector<uint64_t> given((256 + vectors) / 8);
    std::ranges::generate(given, random);
    ASSERT_TRUE(device->write(values, std::as_bytes(std::span(given))));
    clear(found);
    clear(found + 8);
    submit(command({.kernel = keep_registers, .p = values, .q = found, .harts = 1}));
    const uint32_t kept = launches;
    while (value<uint32_t>(found) == 0)
        std::this_thread::yield();
    for (uint32_t context : {0u, 7u, 0u, 8u}) { // the kernel's own, and others
        const Task task{.kernel = leave_secret,
                        .p = out,
                        .q = hart_memory_end() - (64 << 10),
                        .stream = high,
                        .harts = 1,
                        .context = context,
                        .stack_bytes = 64 << 10,
                        .priority = RVL_FLAG_HIGH};
        submit(command(task));
        expect(launches, RVL_RESULT_OK);
        Task next = task;
        next.kernel = describe_state;
        submit(command(next));
        expect(launches, RVL_RESULT_OK);
        EXPECT_EQ(value(out), 0u);
        EXPECT_EQ(value(out + 16), 0u);
        next.kernel = store;
        next.p = hart_memory_end() - 1024; // what the hart holds
        submit(command(next));
        expect(launches, RVL_RESULT_FAULT);
    }
    set(found + 8);
    expect(kept, RVL_RESULT_OK);
    EXPECT_EQ(value(found + 16), 3u);    // vstart
    EXPECT_EQ(value(found + 24), 5u);    // vl
    EXPECT_EQ(value(found + 32), 0x49u); // vtype: ta, mu, e16, m2
    EXPECT_EQ(value(found + 40), 5u);    // vcsr
    EXPECT_EQ(value(found + 48), 0x61u); // fcsr
    EXPECT_EQ(value(found + 56), 1266u); // s0 to s11
    std::vector<uint64_t> left(given.size());
    ASSERT_TRUE(device->read(found + 256, std::as_writable_bytes(std::span(left))));
    EXPECT_EQ(left, given);
}

TEST_F(Preemption, LaunchesFindNothingOfOtherContextsInTheHart) {
    if (device->hello().vlen == 0)
        GTEST_SKIP() << "no vector unit";
    Task task{.kernel = find_secret,
              .p = out,
              .q = hart_memory_end() - (64 << 10),
              .stream = high,
              .harts = 1,
              .context = 4,
              .stack_bytes = 64 << 10,
              .priority = RVL_FLAG_HIGH};
    const auto run_as = [&](Kernel kernel, uint32_t context) {
        task.kernel = kernel;
        task.context = context;
        submit(command(task));
        expect(launches, RVL_RESULT_OK);
    };
    run_as(leave_secret, 4); // before anything is held
    const uint32_t endless = start_endless(1, RVL_FLAG_LOW, low);
    for (uint32_t context : {5u, 0u, 6u, 4u}) { // 0: that of what is held
        run_as(find_secret, context);
        EXPECT_EQ(value(out), 0u) << context;
        run_as(leave_secret, context);
    }
    end(endless);
    run_as(find_secret, 0);
    EXPECT_EQ(value(out), 0u);
}

TEST_F(Preemption, LaunchThatFitsBelowNoKernelHoldsBackNoSmallerOne) {
    const uint32_t endless = start_endless(1, RVL_FLAG_LOW, low);
    const uint64_t most = device->hello().hart_memory_bytes - 2 * RVL_PAGE_BYTES;
    Task task{.kernel = count_groups,
              .p = out,
              .stream = high,
              .harts = 1,
              .stack_bytes = static_cast<uint32_t>(most),
              .priority = RVL_FLAG_HIGH};
    submit(command(task));
    const uint32_t large = launches;
    task.stack_bytes = 1024;
    for (uint32_t i = 1; i <= 3; ++i) {
        task.stream = high + i;
        submit(command(task));
        expect(launches, RVL_RESULT_OK);
    }
    end(endless);
    expect(large, RVL_RESULT_OK);
}

TEST_F(Preemption, HighestPriorityWaitsForNothingLower) {
    const uint32_t endless = start_endless(all_harts(), RVL_FLAG_LOW, low);
    const uint32_t first = launches + 1, waiting = 50;
    for (uint32_t i = 0; i < waiting; ++i)
        submit(command({.kernel = count_groups,
                        .p = out + 64,
                        .stream = low + 3 * (i + 1),
                        .priority = RVL_FLAG_LOW}));
    for (uint32_t i = 0; i < 20; ++i) {
        submit(command({.kernel = count_groups,
                        .groups = 8,
                        .p = out,
                        .stream = high,
                        .priority = RVL_FLAG_HIGH}));
        expect(launches, RVL_RESULT_OK);
    }
    EXPECT_EQ(value<uint32_t>(out), 160u);
    EXPECT_EQ(value<uint32_t>(out + 64), 0u);
    kill(endless);
    for (uint32_t i = 0; i <= waiting; ++i) { // a hart that has left it may already take others
        const rvl_completion done = completion();
        EXPECT_EQ(done.result, done.launch == endless ? RVL_RESULT_KILLED : RVL_RESULT_OK);
        EXPECT_TRUE(done.launch == endless || done.launch >= first);
    }
    EXPECT_EQ(value<uint32_t>(out + 64), waiting);
}

TEST_F(Preemption, ThreePrioritiesAreHeldOneAboveTheOther) {
    const uint32_t lowest = start_endless(1, RVL_FLAG_LOW, low);
    const uint32_t middle = start_endless(1, 0, normal);
    for (uint32_t i = 0; i < 3; ++i) {
        submit(command({.kernel = count_groups,
                        .p = out,
                        .stream = high,
                        .harts = 1,
                        .priority = RVL_FLAG_HIGH}));
        expect(launches, RVL_RESULT_OK);
    }
    end(lowest); // it is held by the hart that runs the other
    const uint32_t next = start_endless(1, RVL_FLAG_HIGH, high);
    end(middle); // likewise
    end(next);
    EXPECT_EQ(run({.kernel = count_groups, .p = out + 8, .harts = 1}).result, RVL_RESULT_OK);
}

// Where the clock counts instructions, an operating system that delays harts takes none of it.
TEST_F(Preemption, TimeWhileALaunchIsHeldIsNotItsOwn) {
    if (!(device->description().flags & RVL_DEVICE_COUNTS_INSTRUCTIONS))
        GTEST_SKIP() << "this machine's clock is not exact";
    const uint32_t limited = start_endless(1, RVL_FLAG_LOW, low, 20);
    const uint64_t gate = allocate(8);
    clear(gate);
    submit(command(
        {.kernel = wait, .p = gate, .stream = high, .harts = 1, .priority = RVL_FLAG_HIGH}));
    const uint32_t holder = launches;
    rvl_slot ping = {};
    ping.header = {RVL_GROUP_BASE, RVL_BASE_PING, 0, 0, 0};
    const auto now = [&] {
        submit(ping);
        return completion();
    };
    const rvl_completion first = now();
    if (first.launch == limited) { // the host was slower than that
        EXPECT_EQ(first.result, RVL_RESULT_TIME_LIMIT);
        set(gate);
        return;
    }
    const uint64_t until = first.end + device->hello().timebase / 20; // 50 ms
    for (rvl_completion last = first; last.end < until; last = now())
        ASSERT_EQ(last.launch, 0u) << "a launch ended";
    set(gate);
    expect(holder, RVL_RESULT_OK);
    const rvl_completion ended = completion();
    EXPECT_EQ(ended.launch, limited);
    EXPECT_EQ(ended.result, RVL_RESULT_TIME_LIMIT);
    const auto fault = device->fault(ended.fault, limited);
    ASSERT_TRUE(fault);
    EXPECT_EQ((fault->pc - code) / kernel_bytes, uint64_t{spin});
}

TEST_F(Preemption, FaultEndsTheLaunchOfTheHigherPriorityAlone) {
    const uint32_t endless = start_endless(all_harts(), 0, normal);
    for (Kernel kernel : {illegal, overflow_stack, breakpoint}) {
        submit(command({.kernel = kernel, .p = out, .stream = high, .priority = RVL_FLAG_HIGH}));
        const rvl_completion done = completion();
        EXPECT_EQ(done.result, RVL_RESULT_FAULT);
        const auto fault = device->fault(done.fault, launches);
        ASSERT_TRUE(fault);
        EXPECT_EQ((fault->pc - code) / kernel_bytes, uint64_t{kernel});
    }
    end(endless);
}

// A launch that needs most of a hart's memory leaves none for another.
TEST_F(Preemption, LaunchThatDoesNotFitComesAtTheNextChunk) {
    const auto most = static_cast<uint32_t>(device->hello().hart_memory_bytes - (64 << 10));
    submit(command({.kernel = count_groups,
                    .groups = 1000,
                    .p = out,
                    .q = 100'000,
                    .stream = low,
                    .harts = 1,
                    .stack_bytes = most,
                    .priority = RVL_FLAG_LOW}));
    const uint32_t large = launches;
    wait_until_running();
    submit(command({.kernel = count_groups,
                    .p = out + 64,
                    .stream = high,
                    .harts = 1,
                    .stack_bytes = 128 << 10,
                    .priority = RVL_FLAG_HIGH}));
    expect(launches, RVL_RESULT_OK);
    end(large);
}

// Device time on a machine whose clock counts instructions: it doesn't depend on the processor.
TEST_F(Preemption, HighPriorityEndsWithinATimeSlice) {
    if (!(device->description().flags & RVL_DEVICE_COUNTS_INSTRUCTIONS))
        GTEST_SKIP() << "this machine's clock is not exact";
    const uint32_t endless = start_endless(all_harts(), RVL_FLAG_LOW, low);
    rvl_slot ping = {};
    ping.header = {RVL_GROUP_BASE, RVL_BASE_PING, 0, 0, 0};
    std::vector<uint64_t> took;
    Task task{.kernel = count_groups, .p = out, .stream = high, .priority = RVL_FLAG_HIGH};
    const uint64_t record = command(task).launch.record;
    for (uint32_t i = 0; i < 100; ++i) {
        task.context = i % 2;
        const rvl_slot slots[] = {ping, command(task, record)};
        const auto sent = device->submit(slots);
        ASSERT_TRUE(sent && *sent == 2);
        const uint64_t submitted = completion().end;
        const rvl_completion done = completion();
        ASSERT_EQ(done.result, RVL_RESULT_OK);
        took.push_back((done.end - submitted) * 1'000'000 / device->hello().timebase);
    }
    std::ranges::sort(took);
    const uint64_t of_99_percent = took[took.size() * 99 / 100];
    RecordProperty("us_of_99_percent", static_cast<int>(of_99_percent));
    EXPECT_LT(of_99_percent, 200u);
    end(endless);
}

TEST_F(Preemption, CountsNoInstructionsOfOthers) {
    if (!(device->description().flags & RVL_DEVICE_COUNTS_INSTRUCTIONS))
        GTEST_SKIP() << "this machine's counter is not exact";
    const Task task{.kernel = count_groups, .groups = 2, .p = out, .q = 1'000'000, .harts = 1};
    const uint64_t alone = run(task).instructions;
    submit(command(task));
    const uint32_t counted = launches;
    const Task of_others{.kernel = count_groups,
                         .p = out + 64,
                         .stream = high,
                         .harts = 1,
                         .priority = RVL_FLAG_HIGH};
    const uint64_t record = command(of_others).launch.record;
    uint32_t others = 0;
    for (bool done = false; !done;) {
        submit(command(of_others, record));
        for (const uint32_t other = launches;;) {
            const rvl_completion next = completion();
            ASSERT_EQ(next.result, RVL_RESULT_OK);
            if (next.launch == other)
                break;
            EXPECT_EQ(next.launch, counted);
            EXPECT_EQ(next.instructions, alone);
            done = true;
        }
        others += !done;
    }
    EXPECT_GT(others, 0u);
}

} // namespace
} // namespace rivulet::firmware
