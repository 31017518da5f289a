// SPDX-License-Identifier: Apache-2.0
#include <signal.h>

#include <thread>

#include "hal/conformance/session.h"

namespace rivulet::hal::conformance {
namespace {

TEST(Wait, TimesOut) {
    Session session;
    const auto before = std::chrono::steady_clock::now();
    const auto done = session->completions(50ms);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_TRUE(done->empty());
    EXPECT_GE(std::chrono::steady_clock::now() - before, 49ms);
    EXPECT_TRUE(session->completions(0ns));
}

TEST(Wait, IsEndedByWake) {
    Session session;
    std::thread waker([&] {
        std::this_thread::sleep_for(20ms);
        session->wake();
    });
    const auto done = session->completions(std::chrono::hours(24));
    EXPECT_TRUE(done);
    EXPECT_TRUE(done->empty());
    waker.join();
}

TEST(Wait, RemembersAnEarlierWake) {
    Session session;
    session->wake();
    const auto done = session->completions(std::chrono::hours(24));
    EXPECT_TRUE(done);
    EXPECT_TRUE(done->empty());
}

TEST(Wait, EndsWhenDeviceIsStopped) {
    Session session;
    std::thread stopper([&] {
        std::this_thread::sleep_for(20ms);
        session->stop();
    });
    EXPECT_FALSE(session->completions(std::chrono::hours(24)));
    stopper.join();
    EXPECT_FALSE(session->alive());
}

TEST(Wait, ReturnsWhenDeviceDies) {
    Session session;
    const auto processes = driver_processes(getpid());
    SKIP_UNLESS(!processes.empty(), "the device is not a process");
    std::chrono::steady_clock::time_point killed;
    std::thread killer([&] {
        std::this_thread::sleep_for(20ms);
        killed = std::chrono::steady_clock::now();
        for (const int process : processes)
            kill(process, SIGKILL);
    });
    const auto done = session->completions(std::chrono::hours(24));
    const auto noticed = std::chrono::steady_clock::now();
    killer.join();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().status, RVL_DEAD);
    EXPECT_NE(done.error().message,
              ""); // a message for the user; its text is up to the driver
    if (driver_under_test().name == std::string_view("qemu"))
        EXPECT_NE(done.error().message.find("SIGKILL"), std::string::npos) << done.error().message;
    EXPECT_FALSE(session->alive());
    const auto slot = Session::ping(1);
    EXPECT_FALSE(session->submit({&slot, 1}));
    RecordProperty(
        "noticed_after_us",
        std::to_string(
            std::chrono::duration_cast<std::chrono::microseconds>(noticed - killed).count()));
}

} // namespace
} // namespace rivulet::hal::conformance
