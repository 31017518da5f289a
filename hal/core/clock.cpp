// SPDX-License-Identifier: Apache-2.0
#include "hal/core/clock.h"

#include <algorithm>

namespace rivulet::hal {

void Clock::restart(uint64_t timebase_hz) {
    const BriefLock lock(mutex_);
    timebase_ = timebase_hz;
    known_ = false;
}

// Device times are on both sides of the anchor; 128 bits can hold any tick × 10⁹. Dividing them
// takes a call, and most spans are short.
int64_t Clock::nanoseconds(uint64_t device_begin, uint64_t device_end) const {
    constexpr int64_t ns_per_s = 1'000'000'000;
    constexpr int64_t longest = INT64_MAX / ns_per_s;
    const auto ticks = static_cast<int64_t>(device_end - device_begin);
    if (ticks >= -longest && ticks <= longest) [[likely]]
        return ticks * ns_per_s / static_cast<int64_t>(timebase_);
    const auto ns = static_cast<__int128>(ticks) * ns_per_s / static_cast<__int128>(timebase_);
    return static_cast<int64_t>(ns);
}

uint64_t Clock::converted(uint64_t device_time) const {
    return anchor_host_ + static_cast<uint64_t>(nanoseconds(anchor_device_, device_time));
}

void Clock::relate(uint64_t earliest_ns, uint64_t device_time, uint64_t latest_ns) {
    const uint64_t guess =
        known_ ? converted(device_time) : earliest_ns + (latest_ns - earliest_ns) / 2;
    anchor_host_ = std::clamp(guess, earliest_ns, latest_ns);
    anchor_device_ = device_time;
    known_ = true;
}

void Clock::related(uint64_t sent_ns, uint64_t device_time, uint64_t received_ns) {
    const BriefLock lock(mutex_);
    relate(sent_ns, device_time, received_ns);
}

HostTimes Clock::host_times(const DeviceTimes &device, const HostTimes &within) {
    const BriefLock lock(mutex_);
    const auto wanted = static_cast<uint64_t>(
        // the device may report anything
        std::max<int64_t>(nanoseconds(device.begin, device.end), 0));
    const uint64_t taken = std::min(wanted, within.end - within.begin);
    relate(within.begin, device.begin, within.end - taken);
    return {anchor_host_, anchor_host_ + taken};
}

uint64_t Clock::host_time(uint64_t device_time) const {
    const BriefLock lock(mutex_);
    return converted(device_time);
}

} // namespace rivulet::hal
