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

    /// The ring's address; 0: there is no log yet.
    [[nodiscard]] uint64_t address() const { return address_; }

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
    uint64_t address_ = 0;
    Consumer ring_;
    uint64_t lost_word_ = 0;
    uint32_t lost_ = 0;   // bytes already reported as lost
    std::string partial_; // start of an incomplete line, at most longest_line bytes
};

} // namespace rivulet::hal
