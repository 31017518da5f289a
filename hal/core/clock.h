// SPDX-License-Identifier: Apache-2.0
//
// Device time ↔ host time.
#pragma once

#include <cstdint>

#include "hal/core/lock.h"

namespace rivulet::hal {

/// Host time, ns, steady.
uint64_t now_ns();

/// A ping's device time lies between the host's times of sending and receiving. The relation is
/// moved just as far as each ping asks for, so that it follows a device clock that drifts and no
/// single slow ping can spoil it.
class Clock {
public:
    void restart(uint64_t timebase_hz);
    void related(uint64_t sent_ns, uint64_t device_time, uint64_t received_ns);
    [[nodiscard]] uint64_t host_time(uint64_t device_time) const;

private:
    [[nodiscard]] uint64_t converted(uint64_t device_time) const;

    mutable Mutex mutex_{LockRank::leaf};
    uint64_t timebase_ = 1'000'000'000;
    uint64_t anchor_device_ = 0;
    uint64_t anchor_host_ = 0;
    bool known_ = false;
};

} // namespace rivulet::hal
