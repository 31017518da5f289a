// SPDX-License-Identifier: Apache-2.0
//
// A fixture for what contexts are told about failed launches (clCreateContext's callback).
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include "on_device.h"

namespace rivulet::test {

class Reports : public OnDevice {
protected:
    std::mutex mutex;
    std::condition_variable reported;
    std::vector<std::string> reports;

    void SetUp() override {
        if (!on_qemu())
            GTEST_SKIP() << "the loopback driver doesn't isolate kernels and reports nothing";
        context = cl::Context(
            device, nullptr,
            [](const char *text, const void *, size_t, void *user) {
                if (std::string_view(text).starts_with("cl")) // of a call that failed
                    return;
                auto &self = *static_cast<Reports *>(user);
                const std::lock_guard lock(self.mutex);
                self.reports.emplace_back(text);
                self.reported.notify_all();
            },
            this);
        queue = cl::CommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE);
    }
    void TearDown() override {
        queue = {};
        context = {};
    }
};

} // namespace rivulet::test
