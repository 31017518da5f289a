// SPDX-License-Identifier: Apache-2.0
//
// The firmware's log ring, line by line.
#pragma once

#include <string>

#include "hal/core/driver_callbacks.h"
#include "hal/core/ring.h"

namespace rivulet::hal {

class LogReader {
public:
    LogReader() = default;
    LogReader(Memory &memory, DriverCallbacks &callbacks, const RingLayout &layout,
              uint64_t lost_word);

    /// Drops the lines that are there.
    Result<> skip();
    /// Goes on from where an earlier host was.
    Result<> take_over();
    /// Hands all complete lines to the log.
    Result<> drain();

private:
    void line(std::string_view text);
    Result<> forget_losses();

    Memory *memory_ = nullptr;
    DriverCallbacks *callbacks_ = nullptr;
    Consumer ring_;
    uint64_t lost_word_ = 0;
    uint32_t lost_ = 0;   // bytes reported as lost already
    std::string partial_; // the start of a line, at most longest_line of it
};

} // namespace rivulet::hal
