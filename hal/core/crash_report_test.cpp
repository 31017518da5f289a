// SPDX-License-Identifier: Apache-2.0
#include "hal/core/crash_report.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "hal/protocol/crash.h"

namespace rivulet::hal {
namespace {

rvl_crash crash; // all of the device's memory

rvl_status map(rvl_device *, uint64_t, size_t, void **host) {
    *host = &crash;
    return RVL_OK;
}

class Report : public testing::Test {
protected:
    static constexpr uint64_t base = 0x80000000;

    Report() {
        crash = {};
        crash.magic = RVL_CRASH_MAGIC;
        std::strcpy(crash.reason, "a reason");
        link.hello.crash = base;
    }
    static rvl_driver driver() {
        rvl_driver table{};
        table.map = map;
        return table;
    }
    static rvl_device_desc description() {
        rvl_device_desc device{};
        device.flags = RVL_DEVICE_MAPS | RVL_DEVICE_COHERENT;
        device.memory_base = base;
        device.memory_bytes = sizeof crash;
        return device;
    }

    std::atomic<int> logged = 0;
    Link link{driver(), nullptr, description(), Config{},
              std::make_unique<DriverCallbacks>([this](int, std::string_view) { ++logged; })};
    LogReader log;
    CrashReport report{link, log};
};

// One of them waits for completions, say, and one for the maintenance of caches.
TEST_F(Report, IsLoggedOnceHoweverManyThreadsFindIt) {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&, i] {
            const auto reason = i % 2 == 0 ? report.report() : report.report_of_silence();
            EXPECT_EQ(reason, "the firmware failed: a reason");
        });
    threads.clear();
    EXPECT_EQ(logged, 1);
    report.clear();
    EXPECT_EQ(report.report_left(), "the firmware failed: a reason");
    EXPECT_EQ(logged, 2) << "of the next firmware";
}

TEST_F(Report, IsNoneWithoutItsMagic) {
    crash.magic = 0;
    EXPECT_FALSE(report.is_there());
    EXPECT_EQ(report.report_left(), "");
    EXPECT_EQ(logged, 0);
}

} // namespace
} // namespace rivulet::hal
