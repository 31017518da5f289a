// SPDX-License-Identifier: Apache-2.0
//
// Whether the device is alive: it answers pings, whose answers also relate its clock to the host's,
// or its heartbeat advances.
#pragma once

#include <atomic>

#include "hal/core/clock.h"
#include "hal/core/command_ring.h"
#include "hal/core/crash_report.h"

namespace rivulet::hal {

class Liveness {
public:
    Liveness(Link &link, CommandRing &commands, CrashReport &crash, Clock &clock);

    /// After this much silence the device is lost; 0: never.
    [[nodiscard]] uint64_t silence_limit_ns() const { return silence_limit_ns_; }
    [[nodiscard]] uint64_t ping_interval_ns() const { return ping_interval_ns_; }
    /// The heartbeat to request from the device.
    [[nodiscard]] uint32_t heartbeat_ms() const { return heartbeat_ms_; }

    // Under the lock of the command ring; after ping_if_due, the caller rings.
    Result<> ping();
    Result<> ping_if_due(uint64_t now);
    void put_off_ping(uint64_t now) { next_ping_ = now + ping_interval_ns_; }

    [[nodiscard]] bool awaits_answer() const { return ping_sent_.load() != 0; }

    // Under the lock of the completion ring:
    /// Takes notice of a completion; true if it answers an own ping.
    bool is_answer(const rvl_slot &slot, uint64_t now);
    /// Completions came.
    void hear() { silence_ns_ = 0; }
    /// From now on it can be silent: before, it was suspended or being started.
    void restart();
    /// To be called before each sleep: pings the device, and declares it dead after long silence.
    Result<> look();

private:
    Result<uint64_t> signs_of_life();

    Link &link_;
    CommandRing &commands_;
    CrashReport &crash_;
    Clock &clock_;
    const uint64_t silence_limit_ns_;
    const uint64_t ping_interval_ns_;
    const uint32_t heartbeat_ms_;
    std::atomic<uint64_t> ping_sent_ = 0; // host time of the ping in flight; 0: none
    std::atomic<uint64_t> next_ping_ = 0;
    uint64_t looked_ = 0;     // last check; kept across calls, or short waits would never add up
    uint64_t silence_ns_ = 0; // accumulated since the last sign of life
    uint64_t signs_ = 0;      // as of the last check
};

} // namespace rivulet::hal
