// SPDX-License-Identifier: Apache-2.0
#include "hal/core/clock.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

namespace rivulet::hal {
namespace {

TEST(Clock, RelatesThroughTheMiddleOfTheFirstPing) {
    Clock clock;
    clock.restart(10'000'000); // 100 ns per tick
    clock.related(1'000, 500, 3'000);
    EXPECT_EQ(clock.host_time(500), 2'000u);
    EXPECT_EQ(clock.host_time(510), 3'000u);
    EXPECT_EQ(clock.host_time(490), 1'000u);
}

TEST(Clock, SlowPingChangesNothing) {
    Clock clock;
    clock.restart(1'000'000'000);
    clock.related(1'000, 0, 1'010);
    clock.related(2'000, 1'000, 9'000'000);
    EXPECT_EQ(clock.host_time(0), 1'005u);
}

TEST(Clock, FollowsADeviceClockThatDrifts) {
    Clock clock;
    clock.restart(1'000'000'000);
    // The device's clock runs 100 ppm fast; a ping takes 2 µs.
    const auto device_time = [](uint64_t host) { return host + host / 10'000; };
    for (uint64_t host = 0; host < 10'000'000'000; host += 100'000'000)
        clock.related(host + 1'000'000 - 1'000, device_time(host + 1'000'000),
                      host + 1'000'000 + 1'000);
    const uint64_t now = 9'901'000'000;
    EXPECT_NEAR(static_cast<double>(clock.host_time(device_time(now))), static_cast<double>(now),
                1'100);
}

TEST(Clock, KeepsWhatACommandDidBetweenItsSubmissionAndItsCompletion) {
    Clock clock;
    clock.restart(1'000'000'000);
    clock.related(1'000, 0, 101'000); // the true difference may be 50 µs either way
    const HostTimes late = clock.host_times({1'000, 3'000}, {40'000, 45'000});
    EXPECT_EQ(late.begin, 43'000u);
    EXPECT_EQ(late.end, 45'000u);
    // … which limits the clocks' difference to 42 µs.
    EXPECT_EQ(clock.host_time(0), 42'000u);
    const HostTimes early = clock.host_times({10'000, 11'000}, {48'000, 60'000});
    EXPECT_EQ(early.begin, 52'000u);
    const HostTimes pushed = clock.host_times({20'000, 21'000}, {65'000, 90'000});
    EXPECT_EQ(pushed.begin, 65'000u);
    EXPECT_EQ(pushed.end, 66'000u);
}

TEST(Clock, StaysInAllIntervalsThatAgree) {
    constexpr uint64_t offset = 5'000'000;
    std::mt19937 random(2);
    Clock clock;
    clock.restart(1'000'000'000);
    uint64_t at = 1'000'000;
    std::vector<std::pair<DeviceTimes, HostTimes>> commands;
    for (int n = 0; n < 2'000; ++n) {
        at += random() % 100'000;
        const DeviceTimes device{at, at + random() % 5'000};
        const HostTimes within{device.begin + offset - random() % 50'000,
                               device.end + offset + random() % 50'000};
        commands.emplace_back(device, within);
        const HostTimes found = clock.host_times(device, within);
        EXPECT_EQ(found.end - found.begin, device.end - device.begin);
    }
    for (const auto &[device, within] : commands) {
        EXPECT_GE(clock.host_time(device.begin), within.begin);
        EXPECT_LE(clock.host_time(device.end), within.end);
    }
}

// Happens with virtual time, for example, or if the device reports invalid times.
TEST(Clock, CutsWhatTookLongerThanTheHostWaited) {
    Clock clock;
    clock.restart(1'000'000'000);
    clock.related(0, 0, 0);
    for (const DeviceTimes device : {DeviceTimes{0, 1'000'000}, DeviceTimes{500, 400},
                                     DeviceTimes{0, UINT64_MAX}, DeviceTimes{UINT64_MAX, 0}}) {
        const HostTimes found = clock.host_times(device, {7'000, 8'000});
        EXPECT_GE(found.begin, 7'000u);
        EXPECT_LE(found.begin, found.end);
        EXPECT_LE(found.end, 8'000u);
    }
    EXPECT_EQ(clock.host_times({0, 1'000'000}, {7'000, 8'000}).end, 8'000u);
}

TEST(Clock, HoldsYearsOfTicks) {
    Clock clock;
    clock.restart(24'000'000);
    clock.related(0, 0, 0);
    constexpr uint64_t ten_years_s = 315'360'000;
    EXPECT_EQ(clock.host_time(ten_years_s * 24'000'000), ten_years_s * 1'000'000'000);
}

} // namespace
} // namespace rivulet::hal
