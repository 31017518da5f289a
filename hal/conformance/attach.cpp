// SPDX-License-Identifier: Apache-2.0
//
// Hosts that attach to running firmware, detach, or vanish.
#include <cstring>
#include <iostream>
#include <random>
#include <thread>

#include "hal/conformance/session.h"

namespace rivulet::hal::conformance {
namespace {

/// A device whose firmware was started by others; skips the test if the driver starts its own.
class Attach : public testing::Test {
protected:
    void SetUp() override {
        const auto device = open_device();
        ASSERT_TRUE(device) << device.error().message;
        SKIP_UNLESS(((*device)->description().flags & RVL_DEVICE_RUNNING) != 0,
                    "the driver starts its firmware itself");
    }

    /// A host that vanishes notifies no one. Its memory exists until the test ends.
    void vanish(Session &session) { vanished_.push_back(session.release()); }

    static void check_it_works(Session &session) {
        const auto buffer = session.allocate(4096);
        const auto done =
            session.run({.kernel = Kernel::iota, .groups = 100, .buffer = buffer, .value = 5});
        ASSERT_TRUE(done);
        EXPECT_EQ(done->result, RVL_RESULT_OK);
        std::vector<uint32_t> expected(100);
        for (uint32_t i = 0; i < 100; ++i)
            expected[i] = 5 + i;
        EXPECT_EQ(session.words(buffer, 100), expected);
        const auto quiet = session->completions(1ms);
        ASSERT_TRUE(quiet);
        EXPECT_TRUE(quiet->empty())
            << "a completion of an unknown command, token " << quiet->front().header.token;
    }

    /// A launch that runs until killed, in many short groups: the host may vanish between any two
    /// of them.
    static rvl_slot endless(Session &session, uint32_t stream) {
        return session.command({.kernel = Kernel::count,
                                .groups = 1u << 30,
                                .buffer = session.allocate(4096),
                                .stream = stream});
    }

private:
    std::vector<std::unique_ptr<Device>> vanished_;
};

TEST_F(Attach, WorksAgainAfterClose) {
    for (int i = 0; i < 3; ++i) {
        Session session;
        check_it_works(session);
    }
}

TEST_F(Attach, StopEndsWhatRuns) {
    Session session;
    const rvl_slot work = endless(session, 1);
    session.submit({&work, 1});
    session->stop();
    EXPECT_EQ(log_text().find("still works"), std::string::npos) << log_text();
    const auto started = session->start();
    ASSERT_TRUE(started) << started.error().message;
    session.load_kernels();
    check_it_works(session);
}

TEST_F(Attach, LaunchesOfAVanishedHostAreEnded) {
    Session former;
    for (uint32_t i = 0; i < 8; ++i) {
        const rvl_slot work = endless(former, i % 3);
        former.submit({&work, 1});
    }
    rvl_slot waits = former.command({.kernel = Kernel::iota, .buffer = former.allocate(4)});
    waits.header.flags = RVL_FLAG_BARRIER;
    former.submit({&waits, 1});
    vanish(former);
    Session session;
    check_it_works(session);
}

TEST_F(Attach, FullRingsOfAVanishedHostAreEmptied) {
    Session former;
    // Rejected launches fill the log; their completions, which no host takes, fill the rings.
    rvl_slot refused = former.command({.kernel = Kernel::iota, .buffer = former.allocate(4)});
    refused.launch.launch = 0;
    const std::vector<rvl_slot> many(4096, refused);
    std::span<const rvl_slot> rest(many);
    for (int i = 0; i < 1000 && !rest.empty(); ++i) {
        const auto count = former->submit(rest);
        ASSERT_TRUE(count) << count.error().message;
        rest = rest.subspan(*count);
        if (*count == 0)
            std::this_thread::sleep_for(1ms);
    }
    EXPECT_FALSE(rest.empty()) << "the rings are not full";
    vanish(former);
    Session session;
    check_it_works(session);
    rvl_slot slot = session.command({.kernel = Kernel::iota, .buffer = session.allocate(4)});
    slot.launch.launch = 0;
    clear_log();
    session.submit({&slot, 1});
    ASSERT_TRUE(session.await(slot.header.token));
    EXPECT_NE(log_text().find("refused"), std::string::npos) << "the log is still full";
}

TEST_F(Attach, HostMayVanishAtAnyMoment) {
    std::random_device seed;
    const auto number = seed();
    std::mt19937 random(number);
    std::cout << "seed " << number << std::endl; // also visible in the log of a test that hangs
    for (int round = 0; round < 200 && !HasFailure(); ++round) {
        Session former;
        for (auto step = random() % 12; step > 0; --step) {
            const auto stream = static_cast<uint32_t>(random() % 3);
            rvl_slot slot =
                random() % 3 == 0
                    ? endless(former, stream)
                    : former.command({.kernel = Kernel::iota,
                                      .groups = 1 + static_cast<uint32_t>(random() % 50),
                                      .buffer = former.allocate(4096),
                                      .stream = stream});
            slot.header.flags = random() % 2 == 0 ? RVL_FLAG_BARRIER : 0;
            former.submit({&slot, 1});
            if (random() % 4 == 0)
                static_cast<void>(former->completions(0ns));
            if (random() % 4 == 0)
                std::this_thread::sleep_for(std::chrono::microseconds(random() % 200));
        }
        vanish(former);
        if (round % 8 == 7) {
            Session session;
            check_it_works(session);
        }
    }
}

/// Number of writes and doorbells until the host dies, in the middle of attaching.
int steps_left = 0;
const rvl_driver *mortal = nullptr;

TEST_F(Attach, HostMayDieInTheMiddleOfIt) {
    mortal = &driver_under_test();
    static rvl_driver dying;
    dying = *mortal;
    dying.write = [](rvl_device *device, uint64_t address, const void *from, size_t bytes) {
        return steps_left-- > 0 ? mortal->write(device, address, from, bytes) : RVL_IO;
    };
    dying.sync = [](rvl_device *device, uint64_t address, size_t bytes, rvl_sync_direction to) {
        return to != RVL_SYNC_TO_DEVICE || steps_left-- > 0
                   ? mortal->sync(device, address, bytes, to)
                   : RVL_IO;
    };
    dying.ring = [](rvl_device *device, uint64_t harts) {
        return steps_left-- > 0 ? mortal->ring(device, harts) : RVL_IO;
    };
    int died = 0;
    for (int steps = 0; steps < 12; ++steps) {
        auto device = open_device(&dying);
        ASSERT_TRUE(device) << device.error().message;
        steps_left = steps;
        died += (*device)->start() ? 0 : 1;
        steps_left = 0;
        device->reset();
        steps_left = 1 << 20;
        if (steps % 2 == 0)
            continue; // two deaths in a row
        Session session;
        check_it_works(session);
    }
    EXPECT_GT(died, 0);
    Session session;
    check_it_works(session);
}

TEST_F(Attach, HostHearsThatAnotherOneTookTheDevice) {
    Session former;
    SKIP_UNLESS(!former.has(RVL_DEVICE_SHARED), "hosts share the device");
    Session session;
    const auto done = former->completions(patience);
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().message.find("another host"), std::string::npos) << done.error().message;
    check_it_works(session);
    static_cast<void>(former.release()); // closing it has no effect
    check_it_works(session);
}

} // namespace
} // namespace rivulet::hal::conformance
