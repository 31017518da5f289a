// SPDX-License-Identifier: Apache-2.0
//
// Kernel pcs sampled by the firmware's timer interrupt: rings in device memory, from which the
// trace is written. Enabled by RIVULET_SAMPLE. Part of trace.so.
#pragma once

#include <vector>

#include "base/lock.h"
#include "hal/core/trace_writer.h"
#include "hal/device.h"

namespace rivulet::hal::trace {

/// Samples of one run of a device.
class KernelSamples {
public:
    /// Size of the rings in device memory; 0 if sampling is not requested, or not supported, which
    /// is reported on standard error.
    static size_t bytes(const Device &device);
    /// Makes the device write samples to `bytes(device)` at `address`, which is page-aligned.
    bool start(Device &device, uint64_t address);
    /// Writes new samples to the trace, in the device's row.
    void write(TraceWriter &writer, Device &device, uint64_t row);

private:
    uint64_t address_ = 0;       // 0: sampling is off
    std::vector<uint32_t> next_; // next sample to read, per hart
};

} // namespace rivulet::hal::trace
