// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "hal/conformance/session.h"

namespace rivulet::hal::conformance {
namespace {

TEST(Launch, RunsEveryGroupOnce) {
    Session session;
    for (const uint32_t groups : {1u, 2u, 3u, 63u, 64u, 1000u})
        for (const uint32_t chunk : {1u, 3u, 64u, 5000u}) {
            const auto buffer = session.allocate(4096);
            const auto counter = session.allocate(4096);
            const auto filled = session.run({.kernel = Kernel::iota,
                                             .groups = groups,
                                             .chunk = chunk,
                                             .buffer = buffer,
                                             .value = 100});
            const auto counted = session.run(
                {.kernel = Kernel::count, .groups = groups, .chunk = chunk, .buffer = counter});
            ASSERT_TRUE(filled);
            ASSERT_TRUE(counted);
            EXPECT_EQ(filled->result, RVL_RESULT_OK);
            EXPECT_EQ(session.words(counter, 1)[0], groups) << "chunk " << chunk;
            const auto words = session.words(buffer, groups);
            for (uint32_t i = 0; i < groups; ++i)
                ASSERT_EQ(words[i], 100 + i) << groups << " groups, chunk " << chunk;
        }
}

TEST(Launch, OfNoGroupsEndsAtOnce) {
    Session session;
    const auto done = session.run({.kernel = Kernel::iota, .groups = 0});
    ASSERT_TRUE(done);
    EXPECT_EQ(done->result, RVL_RESULT_OK);
}

TEST(Launch, UsesTheHartsOfItsMask) {
    Session session;
    const uint32_t harts = session->hello().harts;
    for (uint32_t hart = 0; hart < harts; ++hart) {
        const auto buffer = session.allocate(4096);
        const uint64_t mask = hart < RVL_MASK_HARTS ? uint64_t{1} << hart : 0;
        const bool by_range = harts > RVL_MASK_HARTS;
        const uint8_t flags = by_range ? RVL_FLAG_HART_RANGE : 0;
        const auto done = session.run({.kernel = Kernel::hart,
                                       .groups = 16,
                                       .buffer = buffer,
                                       .flags = flags,
                                       .harts = by_range ? hart | uint64_t{1} << 32 : mask});
        ASSERT_TRUE(done);
        EXPECT_EQ(done->harts, mask);
        EXPECT_EQ(session.words(buffer, 16), std::vector<uint32_t>(16, 1 + hart));
    }
}

TEST(Launch, KeepsOrderWhereBarriersSay) {
    Session session;
    const auto buffer = session.allocate(4096);
    const auto copy = session.allocate(4096);
    for (uint32_t round = 1; round < 30; ++round) {
        const rvl_slot slots[] = {
            session.command({.kernel = Kernel::iota,
                             .groups = 256,
                             .chunk = 4,
                             .buffer = buffer,
                             .value = round * 1000}),
            session.command({.kernel = Kernel::copy,
                             .groups = 1024,
                             .chunk = 16,
                             .buffer = copy,
                             .value = buffer,
                             .flags = RVL_FLAG_BARRIER}),
        };
        session.submit(slots);
        ASSERT_TRUE(session.await(slots[1].header.token));
        const auto words = session.words(copy, 256);
        for (uint32_t i = 0; i < 256; ++i)
            ASSERT_EQ(words[i], round * 1000 + i);
    }
}

TEST(Launch, RunsBesideALongOne) {
    Session session;
    const auto flag = session.allocate(4096);
    const rvl_slot spin = session.command({.kernel = Kernel::spin, .buffer = flag, .stream = 1});
    session.submit({&spin, 1});
    ASSERT_TRUE(session.see(flag + 64, 1));
    if (session->hello().harts > 1) {
        const auto buffer = session.allocate(4096);
        const auto done = session.run(
            {.kernel = Kernel::iota, .groups = 8, .buffer = buffer, .value = 1, .stream = 2});
        ASSERT_TRUE(done);
        EXPECT_EQ(done->result, RVL_RESULT_OK);
    }
    session.write_word(flag, 1);
    const auto done = session.await(spin.header.token);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->result, RVL_RESULT_OK);
}

TEST(Launch, AtomicsOfHostAndHartsAreExactWhereSaid) {
    Session session;
    SKIP_UNLESS(session.has(RVL_DEVICE_ATOMICS) && session.has(RVL_DEVICE_MAPS),
                "the device does not say so");
    constexpr uint32_t groups = 2'000'000;
    const auto counter = session.allocate(4096);
    auto *word = reinterpret_cast<uint32_t *>(session->map(counter, 4));
    ASSERT_NE(word, nullptr);
    const rvl_slot slot = session.command(
        {.kernel = Kernel::count, .groups = groups, .chunk = 1000, .buffer = counter});
    session.submit({&slot, 1});
    // The host adds concurrently with the harts.
    uint32_t added = 0;
    while (__atomic_load_n(word, __ATOMIC_RELAXED) < groups && added < 4 * groups) {
        __atomic_fetch_add(word, 1, __ATOMIC_RELAXED);
        ++added;
    }
    ASSERT_TRUE(session.await(slot.header.token));
    EXPECT_EQ(session.words(counter, 1)[0], groups + added);
}

TEST(Launch, CountsInstructionsExactly) {
    Session session;
    SKIP_UNLESS(session.has(RVL_DEVICE_COUNTS_INSTRUCTIONS), "the machine does not count");
    const auto buffer = session.allocate(4096);
    const Task task{.kernel = Kernel::iota, .groups = 500, .chunk = 5, .buffer = buffer};
    const auto first = session.run(task);
    ASSERT_TRUE(first);
    EXPECT_GT(first->instructions, 1000u);
    for (int i = 0; i < 5; ++i) {
        const auto again = session.run(task);
        ASSERT_TRUE(again);
        EXPECT_EQ(again->instructions, first->instructions);
    }
}

TEST(Launch, WithNonsenseIsRefused) {
    Session session;
    const auto buffer = session.allocate(4096);
    void (*const nonsense[])(rvl_launch &) = {
        [](rvl_launch &launch) { launch.launch = 0; },
        [](rvl_launch &launch) { launch.record += 8; },
        [](rvl_launch &launch) { launch.record = 0; },
        [](rvl_launch &launch) { launch.arena_pages = 0; },
        [](rvl_launch &launch) { launch.arena_page = 1; },
        [](rvl_launch &launch) { launch.code_pages = 0xffffffff; },
    };
    for (const auto spoil : nonsense) {
        rvl_slot slot = session.command({.kernel = Kernel::iota, .buffer = buffer});
        spoil(slot.launch);
        session.submit({&slot, 1});
        const auto done = session.await(slot.header.token);
        ASSERT_TRUE(done);
        EXPECT_EQ(done->result, RVL_RESULT_INVALID);
    }
    rvl_slot unknown = Session::ping(77);
    unknown.header.service = 200;
    session.submit({&unknown, 1});
    const auto answer = session.await(77);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->result, RVL_RESULT_UNKNOWN);
    EXPECT_TRUE(session.run({.kernel = Kernel::iota, .buffer = buffer}));
}

rvl_slot kill_command(uint32_t launch) {
    rvl_slot kill{};
    kill.header = {.group = RVL_GROUP_LAUNCH,
                   .service = RVL_LAUNCH_KILL,
                   .flags = 0,
                   .length = sizeof kill.kill,
                   .token = 60000};
    kill.kill = {.launch = launch, .reserved = 0};
    return kill;
}

TEST(Kill, EndsALaunchThatWaits) {
    Session session;
    const auto flag = session.allocate(4096);
    const rvl_slot spin = session.command({.kernel = Kernel::spin, .buffer = flag});
    const rvl_slot waiting = session.command(
        {.kernel = Kernel::iota, .buffer = session.allocate(4), .flags = RVL_FLAG_BARRIER});
    const rvl_slot slots[] = {spin, waiting};
    session.submit(slots);
    ASSERT_TRUE(session.see(flag + 64, 1));
    const rvl_slot kill = kill_command(waiting.launch.launch);
    session.submit({&kill, 1});
    const auto killed = session.await(waiting.header.token);
    ASSERT_TRUE(killed);
    EXPECT_EQ(killed->result, RVL_RESULT_KILLED);
    session.write_word(flag, 1);
    const auto done = session.await(spin.header.token);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->result, RVL_RESULT_OK);
}

TEST(Kill, EndsALaunchThatRuns) {
    Session session;
    SKIP_UNLESS(session.has(RVL_DEVICE_ISOLATES), "kernels cannot be interrupted");
    const auto flag = session.allocate(4096);
    const rvl_slot spin =
        session.command({.kernel = Kernel::spin, .groups = session->hello().harts, .buffer = flag});
    session.submit({&spin, 1});
    ASSERT_TRUE(session.see(flag + 64, 1));
    const rvl_slot kill = kill_command(spin.launch.launch);
    session.submit({&kill, 1});
    const auto done = session.await(spin.header.token);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->result, RVL_RESULT_KILLED);
    EXPECT_TRUE(session.run({.kernel = Kernel::iota, .buffer = session.allocate(4)}));
}

} // namespace
} // namespace rivulet::hal::conformance
