// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace rivulet::hal::loopback {

/// A doorbell between threads. A ring before the wait is remembered; rings merge.
class Bell {
public:
    void ring() {
        {
            const std::scoped_lock lock(mutex_);
            rung_ = true;
        }
        changed_.notify_all();
    }
    /// Returns false after the timeout.
    bool wait(uint64_t timeout_ns) {
        constexpr uint64_t longest = 3'600'000'000'000; // keeps now + timeout in range
        std::unique_lock lock(mutex_);
        const auto timeout = std::chrono::nanoseconds(std::min(timeout_ns, longest));
        const bool rung = changed_.wait_for(lock, timeout, [&] { return rung_; });
        rung_ = false;
        return rung;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool rung_ = false;
};

} // namespace rivulet::hal::loopback
