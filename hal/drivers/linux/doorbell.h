// SPDX-License-Identifier: Apache-2.0
//
// Bells: lines towards the device (registers, eventfds, nodes), and the wait for its interrupt.
#pragma once

#include <optional>
#include <vector>

#include "hal/drivers/linux/source.h"

namespace rivulet::hal::window {

/// Something that the host signals: a store to a register, or a write to a descriptor.
class Line {
public:
    /// Reads what the settings under `name` ("doorbell.ring", "reset", "start") say; nothing where
    /// there are none and the source has no event `otherwise`.
    static Result<std::optional<Line>> find(const Settings &settings, const std::string &name,
                                            Source &source, uint64_t otherwise);
    Line(Line &&) = default;
    Line &operator=(Line &&) = default;
    /// Never blocks. What was stored to the window before is seen by whom it wakes.
    void signal() const;

private:
    Line() = default;

    Mapping registers_;
    uint64_t offset_ = 0;
    uint32_t value_ = 0;
    FileDescriptor event_; // in the place of a register
};

class Doorbell {
public:
    static Result<Doorbell> create(const Settings &settings, Source &source);

    [[nodiscard]] bool can_ring() const { return ring_ || node_; }
    void ring() const;
    /// RVL_OK after a bell or `wake`, or when it is time to look (doorbell.poll); RVL_DEAD when the
    /// source hung up.
    rvl_status wait(uint64_t timeout_ns) const;
    void wake() const;
    /// Takes the interrupts that came; their count where there is one.
    uint64_t consume() const;

private:
    Interrupt interrupt_;
    FileDescriptor wake_;
    int lifeline_ = -1;
    uint64_t poll_ns_ = 0; // 0: the interrupt says when to look
    std::optional<Line> ring_;
    FileDescriptor node_;
};

} // namespace rivulet::hal::window
