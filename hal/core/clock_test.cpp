// SPDX-License-Identifier: Apache-2.0
#include "hal/core/clock.h"

#include <gtest/gtest.h>

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

TEST(Clock, HoldsYearsOfTicks) {
    Clock clock;
    clock.restart(24'000'000);
    clock.related(0, 0, 0);
    constexpr uint64_t ten_years_s = 315'360'000;
    EXPECT_EQ(clock.host_time(ten_years_s * 24'000'000), ten_years_s * 1'000'000'000);
}

} // namespace
} // namespace rivulet::hal
