// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <random>
#include <set>
#include <thread>

#include "hal/conformance/session.h"

namespace rivulet::hal::conformance {
namespace {

std::atomic<int> bells = 0;
const rvl_driver *counted = nullptr;

/// The driver under test, counting its doorbells.
std::unique_ptr<Device> device_that_counts_bells() {
    auto device = open_device();
    if (!device)
        throw std::runtime_error(device.error().message);
    counted = &driver_under_test();
    static rvl_driver counting;
    counting = *counted;
    counting.ring = [](rvl_device *device, uint64_t harts) {
        ++bells;
        return counted->ring(device, harts);
    };
    device->reset(); // some devices serve only one host at a time
    device = open_device(&counting);
    if (!device)
        throw std::runtime_error(device.error().message);
    return std::move(*device);
}

TEST(Ring, NoBellIsLost) {
    Session session;
    std::mt19937 random(std::random_device{}());
    // The pauses are about as long as each side takes to go to sleep, when a bell could get lost.
    for (int i = 0; i < 3000; ++i) {
        const auto token = static_cast<uint16_t>(i % 1000);
        const auto slot = Session::ping(token);
        session.submit({&slot, 1});
        ASSERT_TRUE(session.await(token)) << "round " << i;
        const auto pause =
            std::chrono::steady_clock::now() + std::chrono::microseconds(random() % 80);
        while (std::chrono::steady_clock::now() < pause)
            std::this_thread::yield();
    }
}

TEST(Ring, ManyBellsForNothingDoNoHarm) {
    auto device = device_that_counts_bells();
    Session session(std::move(device));
    const auto stop = std::chrono::steady_clock::now() + 200ms;
    while (std::chrono::steady_clock::now() < stop)
        session->wake();
    EXPECT_TRUE(session.run({.kernel = Kernel::iota, .buffer = session.allocate(4)}));
}

TEST(Ring, FullRingTakesTheRestLater) {
    Session session;
    const uint32_t slots = session->hello().command_slots;
    std::vector<rvl_slot> pings;
    for (uint32_t i = 0; i < 3 * slots; ++i)
        pings.push_back(Session::ping(static_cast<uint16_t>(i)));
    session.submit(pings);
    for (const auto &ping : pings)
        ASSERT_TRUE(session.await(ping.header.token));
}

TEST(Ring, TakesNoMoreThanFits) {
    Session session;
    const uint32_t slots = session->hello().command_slots;
    // The device frees a command's slot after it completed the command: the one that loaded the
    // kernels may still hold its own.
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (session->room().value_or(0) != slots && std::chrono::steady_clock::now() < deadline)
        std::this_thread::yield();
    EXPECT_EQ(session->room().value_or(0), slots);
    const std::vector<rvl_slot> pings(2 * slots, Session::ping(1));
    const auto count = session->submit(pings);
    ASSERT_TRUE(count);
    EXPECT_LE(*count, slots + 0u);
    EXPECT_GE(*count, 1u);
}

TEST(Ring, ThreadsMaySubmitAtTheSameTime) {
    Session session;
    constexpr uint16_t threads = 4;
    constexpr uint16_t each = 200;
    std::vector<std::thread> submitters;
    for (uint16_t thread = 0; thread < threads; ++thread)
        submitters.emplace_back([&, thread] {
            for (uint16_t i = 0; i < each; ++i) {
                const auto slot = Session::ping(static_cast<uint16_t>(thread * each + i));
                const auto count = session->submit({&slot, 1});
                EXPECT_TRUE(count);
                EXPECT_EQ(*count, 1u);
            }
        });
    std::set<uint16_t> seen;
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (seen.size() < threads * each && std::chrono::steady_clock::now() < deadline) {
        const auto done = session->completions(1s);
        ASSERT_TRUE(done) << done.error().message;
        for (const rvl_slot &slot : *done)
            EXPECT_TRUE(seen.insert(slot.header.token).second);
    }
    for (auto &submitter : submitters)
        submitter.join();
    EXPECT_EQ(seen.size(), size_t{threads * each});
}

TEST(Chain, ThousandLaunchesNeedAtMostTwoBells) {
    Session session(device_that_counts_bells());
    SKIP_UNLESS(session->hello().command_slots >= 1000, "the ring is shorter");
    const auto counter = session.allocate(4096);
    std::vector<rvl_slot> chain;
    for (int i = 0; i < 1000; ++i)
        chain.push_back(session.command({.kernel = Kernel::count,
                                         .groups = 2,
                                         .buffer = counter,
                                         .flags = RVL_FLAG_BARRIER | RVL_FLAG_SILENT}));
    chain.back().header.flags = RVL_FLAG_BARRIER;
    bells = 0;
    session.submit(chain);
    const int rung = bells; // later ones are those of pings, one for each second that this takes
    const auto done = session.await(chain.back().header.token);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->result, RVL_RESULT_OK);
    EXPECT_LE(rung, 2);
    EXPECT_EQ(session.words(counter, 1)[0], 2000u);
}

} // namespace
} // namespace rivulet::hal::conformance
