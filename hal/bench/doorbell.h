// SPDX-License-Identifier: Apache-2.0
//
// The bare round trip through the mailbox: a ping to the firmware and its answer. The floor of
// what any command can cost.
#pragma once

#include <vector>

#include "hal/device.h"

namespace rivulet::hal {

/// Round trips of one kind, in µs.
struct RoundTrips {
    double median = 0;
    double p99 = 0;
};

struct DoorbellFigures {
    RoundTrips back_to_back; // the next ping at once: no side falls asleep
    RoundTrips apart;        // after a pause, so that both sides sleep and both bells ring
};

/// Measures a started device. No other thread may take completions meanwhile.
Result<DoorbellFigures> measure_doorbell(Device &device, int count);

} // namespace rivulet::hal
