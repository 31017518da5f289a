// SPDX-License-Identifier: Apache-2.0
//
// A suspended device must not be accessed: commands, reads and writes wait until it is resumed.
#pragma once

#include <atomic>
#include <chrono>

#include "hal/core/link.h"

namespace rivulet::hal {

class Sleep {
public:
    explicit Sleep(const Link &link) : link_(link) {}

    /// An access to the device's memory: waits until the device is awake and keeps it so.
    class Use {
    public:
        explicit Use(Sleep &sleep);
        Use(const Use &) = delete;
        Use &operator=(const Use &) = delete;
        ~Use();

    private:
        Sleep &sleep_;
        bool counted_ = false;
    };

    [[nodiscard]] bool is_asleep() const { return asleep_.load(); }
    void await_end(std::chrono::steady_clock::time_point until);
    /// From now on all accesses wait; returns when those that had begun have ended.
    Result<> begin();
    void end();
    /// The device was reset or is gone: it isn't suspended any more.
    void forget() { asleep_.store(false); }

private:
    void await_end(std::chrono::steady_clock::time_point until, bool use);

    const Link &link_;
    Mutex mutex_{LockRank::sleep};
    Condition ended_;
    std::atomic<bool> asleep_ = false;
    uint32_t users_ = 0; // threads accessing memory now
};

} // namespace rivulet::hal
