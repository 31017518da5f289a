// SPDX-License-Identifier: Apache-2.0
//
// Memory that a host provides in addition to the board's own: a second heap and a scratchpad.
#include "device-firmware/tests/firmware_fixture.h"

namespace rivulet::firmware {
namespace {

class Regions : public testing::Test {
protected:
    static constexpr uint64_t page = RVL_PAGE_BYTES;
    Machine machine{2};
    const uint64_t heap_bytes = machine.hello().heap_bytes;
    const uint64_t heap_end = machine.hello().heap_base + heap_bytes;
    const uint64_t second = heap_end - 64 * page;
    const uint64_t second_bytes = 32 * page;
    const uint64_t scratchpad = heap_end - 16 * page;
    uint32_t session = 100;

    void host_with(uint64_t heap, uint64_t bytes, uint64_t pad, uint64_t pad_bytes,
                   uint32_t protocol = RVL_PROTOCOL_VERSION) {
        static_cast<void>(machine.log());
        machine.name_regions(heap, bytes, pad, pad_bytes);
        EXPECT_TRUE(machine.attach(++session, protocol));
        EXPECT_EQ(machine.state(), RVL_STATE_RUNNING);
    }
    uint32_t launch_with_second(uint64_t base, uint32_t pages, Count *count) {
        rvl_slot slot = machine.launch_slot(machine.record(count_groups, 4, count), {});
        slot.launch.second_page = static_cast<uint32_t>(base / page);
        slot.launch.second_pages = pages;
        machine.submit(slot);
        return machine.launch_completion().result;
    }
};

TEST_F(Regions, AreTakenOutOfTheHeapForTheHostThatNamesThem) {
    host_with(second, second_bytes, scratchpad, 16 * page);
    const rvl_hello &hello = machine.hello();
    EXPECT_EQ(hello.heap_base + hello.heap_bytes, second);
    EXPECT_EQ(hello.second_heap_base, second);
    EXPECT_EQ(hello.second_heap_bytes, second_bytes);
    EXPECT_EQ(hello.local_memory_bytes, 8 * page);
    EXPECT_TRUE(hello.flags & RVL_HELLO_SCRATCHPAD);
    host_with(0, 0, 0, 0);
    EXPECT_EQ(hello.heap_bytes, heap_bytes);
    EXPECT_EQ(hello.second_heap_bytes, 0u);
    EXPECT_EQ(hello.local_memory_bytes, 64u << 10);
    EXPECT_FALSE(hello.flags & RVL_HELLO_SCRATCHPAD);
    host_with(second, second_bytes, scratchpad, 16 * page,
              RVL_VERSION(1, 3)); // earlier protocols have padding there
    EXPECT_EQ(hello.heap_bytes, heap_bytes);
    EXPECT_EQ(hello.local_memory_bytes, 64u << 10);
}

TEST_F(Regions, AreLeftAloneWithAReasonWhereTheyMakeNoSense) {
    const struct {
        uint64_t heap, heap_bytes, pad, pad_bytes;
        const char *reason;
    } bad[] = {
        {second + 8, page, 0, 0, "number of pages"},
        {second, page + 1, 0, 0, "number of pages"},
        {-page, 2 * page, 0, 0, "last address"},
        {machine.hello().command_ring & -page, page, 0, 0, "firmware's memory"},
        {0, 0, machine.hello().heap_base - page, 2 * page, "firmware's memory"},
        {0, 0, scratchpad, page, "less than a page for each hart"},
        {second, second_bytes, second + page, 4 * page, "second heap"},
        {-4 * page, 4 * page, -4 * page, 4 * page, "second heap"}, // they end at 2^64
    };
    for (const auto &row : bad) {
        host_with(row.heap, row.heap_bytes, row.pad, row.pad_bytes);
        EXPECT_NE(machine.log().find(row.reason), std::string::npos) << row.reason;
        EXPECT_EQ(machine.hello().local_memory_bytes, 64u << 10) << row.reason;
        EXPECT_FALSE(machine.hello().flags & RVL_HELLO_SCRATCHPAD) << row.reason;
    }
    Count count = 0;
    EXPECT_EQ(machine.run(machine.record(count_groups, 4, &count)), RVL_RESULT_OK);
}

TEST_F(Regions, SecondArenaLiesInOneOfTheHeaps) {
    Count count = 0;
    const rvl_hello &hello = machine.hello();
    EXPECT_TRUE(hello.flags & RVL_HELLO_SHARED_PAGES);
    EXPECT_EQ(launch_with_second(second, 1, &count), RVL_RESULT_OK) << "pages of the heap";
    EXPECT_EQ(launch_with_second(hello.heap_base - page, 1, &count), RVL_RESULT_INVALID);
    EXPECT_EQ(launch_with_second(hello.heap_base + hello.heap_bytes, 1, &count),
              RVL_RESULT_INVALID);
    count = 0;
    host_with(second, second_bytes, 0, 0);
    EXPECT_EQ(launch_with_second(second, 32, &count), RVL_RESULT_OK);
    EXPECT_EQ(count, 4u);
    EXPECT_EQ(launch_with_second(second, 33, &count), RVL_RESULT_INVALID);
    EXPECT_EQ(launch_with_second(second - page, 2, &count), RVL_RESULT_INVALID);
    EXPECT_EQ(launch_with_second(second, UINT32_MAX, &count), RVL_RESULT_INVALID);
    EXPECT_EQ(launch_with_second(0, 0, &count), RVL_RESULT_OK);
}

TEST_F(Regions, LocalMemoryOfEachHartIsItsShareAndHoldsNothingOfFormerHosts) {
    host_with(0, 0, scratchpad, 16 * page);
    for (const uint64_t hart : {0, 1}) {
        uint64_t found = 1;
        const auto share = scratchpad + hart * 8 * page;
        if (!noncoherent()) // where it would have to be maintained, and is not the host's to see
            *machine.at<uint64_t>(share) = 0xbad;
        const auto run = [&](uint64_t bytes) {
            const uint64_t record = machine.record(leave_a_trace, 1, &found);
            machine.at<rvl_launch_record>(record)->local_bytes = static_cast<uint32_t>(bytes);
            return machine.run(record, {.harts = uint64_t{1} << hart});
        };
        EXPECT_EQ(run(8 * page), RVL_RESULT_OK);
        EXPECT_EQ(found, 0u) << "cleared before a context's first launch";
        EXPECT_EQ(run(64), RVL_RESULT_OK);
        EXPECT_EQ(found, 0x5ec7e7u);
        if (!noncoherent())
            EXPECT_EQ(*machine.at<uint64_t>(share), 0x5ec7e7u);
        EXPECT_EQ(run(8 * page + 1), RVL_RESULT_INVALID);
    }
}

// Commands of older hosts end before the second arena; what is in the slot behind them is no arena.
TEST_F(Regions, NoneIsTakenFromBehindAShortCommand) {
    Count count = 0;
    const uint64_t record = machine.record(count_groups, 1, &count);
    const uint64_t words = machine.allocate(page), outside = machine.hello().heap_base - page;
    const auto run = [&](uint64_t at, uint64_t base, uint32_t pages) {
        machine.at<rvl_launch_record>(record)->words = at;
        rvl_slot slot = machine.launch_slot(record, {});
        slot.header.length = RVL_LAUNCH_LEAST_BYTES;
        slot.launch.code_page = static_cast<uint32_t>(record / page); // so that it has a kind
        slot.launch.code_pages = 1;
        slot.launch.second_page = static_cast<uint32_t>(base / page);
        slot.launch.second_pages = pages;
        machine.submit(slot);
        return machine.launch_completion().result;
    };
    EXPECT_EQ(run(outside, outside, 1), RVL_RESULT_INVALID);
    EXPECT_EQ(run(words, 0, 0), RVL_RESULT_OK);
    EXPECT_EQ(run(words, outside, 1), RVL_RESULT_OK);
    EXPECT_EQ(run(outside, outside, 1), RVL_RESULT_INVALID);
}

} // namespace
} // namespace rivulet::firmware
