// SPDX-License-Identifier: Apache-2.0
#include "hal/core/clock.h"

#include <algorithm>
#include <chrono>

namespace rivulet::hal {

uint64_t now_ns() {
    return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

void Clock::restart(uint64_t timebase_hz) {
    const Lock lock(mutex_);
    timebase_ = timebase_hz;
    known_ = false;
}

uint64_t Clock::converted(uint64_t device_time) const {
    // Device times lie on both sides of the anchor; 128 bits hold any tick × 10⁹.
    const auto ticks = static_cast<int64_t>(device_time - anchor_device_);
    const auto ns = static_cast<__int128>(ticks) * 1'000'000'000 / static_cast<__int128>(timebase_);
    return anchor_host_ + static_cast<uint64_t>(static_cast<int64_t>(ns));
}

void Clock::related(uint64_t sent_ns, uint64_t device_time, uint64_t received_ns) {
    const Lock lock(mutex_);
    const uint64_t guess = known_ ? converted(device_time) : sent_ns + (received_ns - sent_ns) / 2;
    anchor_host_ = std::clamp(guess, sent_ns, received_ns);
    anchor_device_ = device_time;
    known_ = true;
}

uint64_t Clock::host_time(uint64_t device_time) const {
    const Lock lock(mutex_);
    return converted(device_time);
}

} // namespace rivulet::hal
