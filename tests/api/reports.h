// SPDX-License-Identifier: Apache-2.0
//
// What contexts are told about launches that fail and about their device (clCreateContext's
// callback), and a fixture for it.
#pragma once

#include <condition_variable>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "on_device.h"

namespace rivulet::test {

/// The reports of one test's contexts. A context may report after the test that released it has
/// ended, so a log lives as long as the process and belongs to one test alone.
class ReportLog {
public:
    static ReportLog &create() {
        static std::list<ReportLog> logs; // tests run one after another
        return logs.emplace_back();
    }

    /// A context that writes to this log.
    cl::Context context_of(const cl::Device &device) {
        return context_of(std::vector<cl::Device>{device});
    }
    cl::Context context_of(const std::vector<cl::Device> &devices) {
        return cl::Context(
            devices, nullptr,
            [](const char *text, const void *, size_t, void *user) {
                if (std::string_view(text).starts_with("cl")) // of a call that failed
                    return;
                auto &self = *static_cast<ReportLog *>(user);
                const std::lock_guard lock(self.mutex);
                self.reports.emplace_back(text);
                self.reported.notify_all();
            },
            this);
    }

    /// Waits for a report, as long as CTest lets it, and takes it.
    std::string next() {
        std::unique_lock lock(mutex);
        reported.wait(lock, [&] { return !reports.empty(); });
        std::string report = std::move(reports.front());
        reports.erase(reports.begin());
        return report;
    }

    /// Takes all reports that have come so far.
    std::vector<std::string> take_all() {
        const std::lock_guard lock(mutex);
        return std::exchange(reports, {});
    }

private:
    std::mutex mutex;
    std::condition_variable reported;
    std::vector<std::string> reports;
};

class Reports : public OnDevice {
protected:
    ReportLog &log = ReportLog::create();

    void SetUp() override {
        if (!on_qemu())
            GTEST_SKIP() << "the loopback driver doesn't isolate kernels and reports nothing";
        context = log.context_of(device);
        queue = cl::CommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE);
    }
    void TearDown() override {
        queue = {};
        context = {};
    }
};

} // namespace rivulet::test
