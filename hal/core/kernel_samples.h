// SPDX-License-Identifier: Apache-2.0
//
// Where kernels were when the firmware's timer interrupted them: rings in device memory, which the
// trace is written from. RIVULET_SAMPLE asks for them. Part of trace.so.
#pragma once

#include <vector>

#include "hal/core/lock.h"
#include "hal/core/trace_writer.h"
#include "hal/device.h"

namespace rivulet::hal::trace {

/// The samples of one start of a device.
class KernelSamples {
public:
    /// Bytes of device memory for the rings; 0 where no samples are wanted, or the device can't
    /// take any, which is told on standard error.
    static size_t bytes(const Device &device);
    /// Makes the device take samples into `bytes(device)` at `address`, aligned to a page.
    bool start(Device &device, uint64_t address);
    /// Writes the new ones to the trace, under the device's row there.
    void write(TraceWriter &writer, Device &device, uint64_t row);

private:
    uint64_t address_ = 0;       // 0: none are taken
    std::vector<uint32_t> next_; // of each hart, to be read
};

} // namespace rivulet::hal::trace
