// SPDX-License-Identifier: Apache-2.0
//
// The bare round trip through the mailbox: a ping to the firmware and its answer. A lower bound for
// the latency of any command.
#pragma once

#include <vector>

#include "hal/device.h"

namespace rivulet::hal {

/// Round-trip times in µs.
struct RoundTrips {
    double median = 0;
    double p99 = 0;
};

struct DoorbellFigures {
    RoundTrips back_to_back; // the next ping follows at once: neither side goes to sleep
    RoundTrips apart;        // after a pause, so that both sides sleep and both doorbells are
                             // needed
};

/// Measures a started device. No other thread may take completions meanwhile.
Result<DoorbellFigures> measure_doorbell(Device &device, int count);

} // namespace rivulet::hal
