// SPDX-License-Identifier: Apache-2.0
//
// Memory is cleared of the previous host's data for a host that requests it.
#include <algorithm>

#include "device-firmware/tests/firmware_fixture.h"

namespace rivulet::firmware {
namespace {

constexpr uint64_t secret = 0x5ec2e75ec2e75ec2;

struct Range {
    uint64_t from, bytes;
};

std::vector<Range> ranges(const rvl_hello &hello) {
    return {{hello.heap_base, hello.heap_bytes},
            {hello.heap_base - hello.harts * hello.hart_memory_bytes,
             hello.harts * hello.hart_memory_bytes},
            {hello.command_ring, hello.command_slots * sizeof(rvl_slot)},
            {hello.completion_ring, hello.completion_slots * sizeof(rvl_slot)},
            {hello.fault_table, hello.fault_slots * sizeof(rvl_fault)}};
}

void fill(Machine &m) {
    for (const auto &[from, bytes] : ranges(m.hello()))
        std::fill_n(m.at<uint64_t>(from), bytes / sizeof secret, secret);
}

uint64_t count(Machine &m) {
    uint64_t found = 0;
    for (const auto &[from, bytes] : ranges(m.hello())) {
        const auto *words = m.at<const uint64_t>(from);
        found += static_cast<uint64_t>(std::count(words, words + bytes / sizeof secret, secret));
    }
    return found;
}

bool attach(Machine &m, uint32_t session, bool clear) {
    auto &flags = m.mailbox().boot.flags;
    flags = clear ? flags | RVL_BOOT_CLEAR : flags & ~RVL_BOOT_CLEAR;
    return m.attach(session);
}

TEST(Clear, LeavesNothingOfTheHostBefore) {
    for (const uint32_t harts : {1u, 4u}) {
        Machine m(harts);
        fill(m);
        ASSERT_TRUE(attach(m, 1, true));
        EXPECT_TRUE(m.hello().flags & RVL_HELLO_CLEARED);
        EXPECT_EQ(count(m), 0u);
        EXPECT_EQ(m.run(m.record([](auto...) {}, 0)), RVL_RESULT_OK);
    }
}

// The heap ends where the second heap begins.
TEST(Clear, LeavesNothingBehindTheRegionsOfTheHost) {
    Machine m(2);
    const rvl_hello before = m.hello();
    fill(m);
    m.name_regions(before.heap_base + before.heap_bytes / 2, RVL_PAGE_BYTES, 0, 0);
    ASSERT_TRUE(attach(m, 1, true));
    EXPECT_EQ(m.hello().second_heap_bytes, uint64_t{RVL_PAGE_BYTES});
    const auto *heap = m.at<const uint64_t>(before.heap_base);
    EXPECT_EQ(std::count(heap, heap + before.heap_bytes / sizeof secret, secret), 0);
}

TEST(Clear, IsForHostsThatAskForIt) {
    Machine m(2);
    fill(m);
    const uint64_t before = count(m);
    ASSERT_TRUE(attach(m, 1, false));
    EXPECT_FALSE(m.hello().flags & RVL_HELLO_CLEARED);
    EXPECT_EQ(count(m), before);
    ASSERT_TRUE(attach(m, 0, true)); // no host has requested it
    EXPECT_EQ(count(m), before);
}

// A hart still clearing for a host that has gone would erase what the next one writes.
TEST(Clear, EndsBeforeTheHostIsWelcome) {
    Machine m(4);
    for (uint32_t session = 1; session < 200; session += 2) {
        m.mailbox().boot.flags |= RVL_BOOT_CLEAR;
        shared_word(m.mailbox().boot.session).store(session, std::memory_order_release);
        m.ring();
        if (session % 3 == 0)
            std::this_thread::sleep_for(std::chrono::microseconds(session));
        ASSERT_TRUE(attach(m, session + 1, session % 4 == 1));
        fill(m);
        const uint64_t before = count(m);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ASSERT_EQ(count(m), before) << session;
    }
}

} // namespace
} // namespace rivulet::firmware
