// SPDX-License-Identifier: Apache-2.0
//
// Reads the firmware's log ring line by line.
#pragma once

#include <string>

#include "hal/core/driver_callbacks.h"
#include "hal/core/ring.h"
#include "hal/device.h"

namespace rivulet::hal {

class LogReader {
public:
    LogReader() = default;
    LogReader(Memory &memory, DriverCallbacks &callbacks, const RingLayout &layout,
              uint64_t lost_word);

    /// Drops all available lines.
    Result<> skip();
    /// Continues where an earlier host stopped.
    Result<> take_over();
    /// Passes all complete lines to the log.
    Result<> drain();

private:
    void line(std::string_view text);
    Result<> forget_losses();

    Memory *memory_ = nullptr;
    DriverCallbacks *callbacks_ = nullptr;
    Consumer ring_;
    uint64_t lost_word_ = 0;
    uint32_t lost_ = 0;   // bytes already reported as lost
    std::string partial_; // start of an incomplete line, at most longest_line bytes
};

} // namespace rivulet::hal
