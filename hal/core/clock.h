// SPDX-License-Identifier: Apache-2.0
//
// Device time ↔ host time.
#pragma once

#include <cstdint>

#include "base/brief_lock.h"
#include "hal/device.h"

namespace rivulet::hal {

/// The device executes a command between the host's times of sending it and of receiving its
/// completion, which bounds the difference of the two clocks by an interval, for pings and launches
/// alike. The relation is moved into each new interval by the smallest amount. Since the intervals
/// are convex, it thereby stays in all earlier ones that intersect the new one: it is in the
/// intersection of all as long as the clocks keep pace, follows a drifting device clock, and cannot
/// be spoiled by a single slow command. No drift rate has to be assumed; there would be none if
/// device time counts instructions.
class Clock {
public:
    void restart(uint64_t timebase_hz);
    void related(uint64_t sent_ns, uint64_t device_time, uint64_t received_ns);
    [[nodiscard]] uint64_t host_time(uint64_t device_time) const;
    /// Converts a span of device time within a span of host time. It keeps the device's length,
    /// unless that exceeds the host's span.
    HostTimes host_times(const DeviceTimes &device, const HostTimes &within);

private:
    void relate(uint64_t earliest_ns, uint64_t device_time, uint64_t latest_ns);
    [[nodiscard]] int64_t nanoseconds(uint64_t device_begin, uint64_t device_end) const;
    [[nodiscard]] uint64_t converted(uint64_t device_time) const;

    mutable BriefMutex mutex_{LockRank::leaf};
    uint64_t timebase_ = 1'000'000'000;
    uint64_t anchor_device_ = 0;
    uint64_t anchor_host_ = 0;
    bool known_ = false;
};

} // namespace rivulet::hal
