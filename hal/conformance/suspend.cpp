// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <thread>

#include "hal/conformance/session.h"

namespace rivulet::hal::conformance {
namespace {

bool driver_has_suspend() {
    const rvl_driver &driver = driver_under_test();
    return driver.size > offsetof(rvl_driver, resume) && driver.suspend != nullptr;
}

TEST(Suspend, WithoutTheFunctionsIsRefused) {
    SKIP_UNLESS(!driver_has_suspend(), "the driver can suspend its device");
    Session session;
    const auto suspended = session->suspend();
    ASSERT_FALSE(suspended);
    EXPECT_EQ(suspended.error().status, RVL_UNSUPPORTED);
    EXPECT_TRUE(session.run({.kernel = Kernel::iota, .buffer = session.allocate(4)}));
}

TEST(Suspend, KeepsMemoryAndCommandsWait) {
    SKIP_UNLESS(driver_has_suspend(), "the driver can't suspend its device");
    Session session;
    const auto buffer = session.allocate(4096);
    session.write_word(buffer, 0x1234);
    const rvl_slot later =
        session.command({.kernel = Kernel::iota, .buffer = session.allocate(4096)});
    ASSERT_TRUE(session->suspend());
    EXPECT_EQ(session->state(), RVL_STATE_SUSPENDED);
    EXPECT_FALSE(session->suspend()) << "it is already suspended";
    const auto taken = session->submit({&later, 1});
    ASSERT_TRUE(taken) << taken.error().message;
    EXPECT_EQ(*taken, 0u);
    const auto nothing = session->completions(5ms);
    ASSERT_TRUE(nothing) << nothing.error().message;
    EXPECT_TRUE(nothing->empty());
    std::atomic<bool> read = false;
    std::thread reader([&] {
        EXPECT_EQ(session.words(buffer, 1)[0], 0x1234u);
        read = true;
    });
    std::this_thread::sleep_for(20ms);
    EXPECT_FALSE(read) << "the device was accessed while suspended";
    const auto resumed = session->resume();
    EXPECT_TRUE(resumed) << resumed.error().message;
    reader.join();
    EXPECT_EQ(session->state(), RVL_STATE_RUNNING);
    session.submit({&later, 1});
    EXPECT_TRUE(session.await(later.header.token));
    EXPECT_FALSE(session->resume()) << "it is awake";
}

TEST(Suspend, LaunchesGoOnAfterwards) {
    SKIP_UNLESS(driver_has_suspend(), "the driver can't suspend its device");
    Session session;
    const auto flag = session.allocate(4096);
    const rvl_slot spin = session.command({.kernel = Kernel::spin, .buffer = flag});
    session.submit({&spin, 1});
    ASSERT_TRUE(session.see(flag + 64, 1));
    for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(session->suspend());
        ASSERT_TRUE(session->resume());
    }
    session.write_word(flag, 1);
    const auto done = session.await(spin.header.token);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->result, RVL_RESULT_OK);
}

TEST(Suspend, WaitersSleepAndStopEndsIt) {
    SKIP_UNLESS(driver_has_suspend(), "the driver can't suspend its device");
    Session session;
    std::atomic<bool> over = false;
    std::thread waiter([&] {
        while (!over)
            if (!session->completions(std::chrono::seconds(1)))
                return;
    });
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(session->suspend());
        if (i % 2 == 0)
            ASSERT_TRUE(session->resume());
        else
            break;
    }
    session->stop();
    over = true;
    waiter.join();
    const auto started = session->start();
    ASSERT_TRUE(started) << started.error().message;
    session.load_kernels();
    EXPECT_TRUE(session.run({.kernel = Kernel::iota, .buffer = session.allocate(4)}));
}

} // namespace
} // namespace rivulet::hal::conformance
