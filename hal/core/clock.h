// SPDX-License-Identifier: Apache-2.0
//
// Device time ↔ host time.
#pragma once

#include <cstdint>

#include "hal/core/lock.h"
#include "hal/device.h"

namespace rivulet::hal {

/// Host time, ns, steady.
uint64_t now_ns();

/// What the device does for a command lies between the host's times of sending it and of receiving
/// its completion: an interval for the difference of the two clocks, from pings and launches alike.
/// The relation is moved just as far into each interval as that asks for. By that it stays in all
/// earlier ones that have a point in common with the new one, too, since they are convex: it lies
/// in the intersection of all as long as the clocks keep pace, follows a device clock that drifts,
/// and no single slow command can spoil it. No rate of drift has to be assumed, which would be none
/// where device time follows instructions.
class Clock {
public:
    void restart(uint64_t timebase_hz);
    void related(uint64_t sent_ns, uint64_t device_time, uint64_t received_ns);
    [[nodiscard]] uint64_t host_time(uint64_t device_time) const;
    /// Of a span of device time within a span of host time. It is as long as the device says, if
    /// that is no longer than the host's.
    HostTimes host_times(const DeviceTimes &device, const HostTimes &within);

private:
    void relate(uint64_t earliest_ns, uint64_t device_time, uint64_t latest_ns);
    [[nodiscard]] int64_t nanoseconds(uint64_t device_begin, uint64_t device_end) const;
    [[nodiscard]] uint64_t converted(uint64_t device_time) const;

    mutable Mutex mutex_{LockRank::leaf};
    uint64_t timebase_ = 1'000'000'000;
    uint64_t anchor_device_ = 0;
    uint64_t anchor_host_ = 0;
    bool known_ = false;
};

} // namespace rivulet::hal
