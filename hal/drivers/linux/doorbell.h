// SPDX-License-Identifier: Apache-2.0
//
// Doorbells: lines towards the device (registers, eventfds, nodes), and waiting for its interrupt.
#pragma once

#include <optional>
#include <vector>

#include "hal/drivers/linux/source.h"

namespace rivulet::hal::window {

/// Something the host can signal: a store to a register, or a write to a descriptor.
class Line {
public:
    /// Creates the line specified by the settings under `name` ("doorbell.ring", "reset", "start");
    /// nullopt if there are none and the source has no event `otherwise`.
    static Result<std::optional<Line>> find(const Settings &settings, const std::string &name,
                                            Source &source, uint64_t otherwise);
    Line(Line &&) = default;
    Line &operator=(Line &&) = default;
    /// Never blocks. The device sees what was stored to the window before.
    void signal() const;

private:
    Line() = default;

    Mapping registers_;
    uint64_t offset_ = 0;
    uint32_t value_ = 0;
    FileDescriptor event_; // used instead of a register
    uint64_t count_ = 1;   // what is written to it
};

class Doorbell {
public:
    static Result<Doorbell> create(const Settings &settings, Source &source);

    [[nodiscard]] bool can_ring() const { return ring_ || node_; }
    void ring() const;
    /// RVL_OK after a bell or `wake`, or when it is time to poll (doorbell.poll); RVL_DEAD if the
    /// source hung up.
    rvl_status wait(uint64_t timeout_ns) const;
    void wake() const;
    /// True if the device is gone for good: its card's server has ended.
    [[nodiscard]] bool hung_up() const;
    /// Consumes pending interrupts; returns their number if known.
    uint64_t consume() const;

private:
    Interrupt interrupt_;
    FileDescriptor wake_;
    int lifeline_ = -1;
    uint64_t poll_ns_ = 0; // 0: interrupt-driven
    std::optional<Line> ring_;
    FileDescriptor node_;
};

} // namespace rivulet::hal::window
