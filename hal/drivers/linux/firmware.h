// SPDX-License-Identifier: Apache-2.0
//
// How the firmware gets to run: copied into the window and released by a register, started by
// Linux's remoteproc, or already running.
#pragma once

#include "hal/drivers/linux/doorbell.h"

namespace rivulet::hal::window {

/// The window, with its address as seen by the device.
struct Window {
    Mapping memory;
    uint64_t base = 0;

    [[nodiscard]] std::byte *at(uint64_t address) const {
        return memory.start() + (address - base);
    }
    [[nodiscard]] bool contains(uint64_t address, uint64_t bytes) const {
        return address >= base && bytes <= memory.bytes() &&
               address - base <= memory.bytes() - bytes;
    }
};

class Firmware {
public:
    enum class Kind : unsigned char { copied, remoteproc, running };

    static Result<Firmware> create(const Settings &settings, Source &source);

    [[nodiscard]] Kind kind() const { return kind_; }
    /// The note from the firmware's file; all zero without one.
    [[nodiscard]] const rvl_firmware_note &note() const { return note_; }

    Result<> load(const Window &window, std::span<const std::byte> elf) const;
    Result<> start(const Window &window, uint64_t mailbox) const;
    /// Stops the harts (copied, remoteproc) or restarts them (running).
    Result<> reset(const Window &window, const Doorbell &doorbell, uint64_t mailbox) const;

private:
    Result<> set_state(const char *state) const;
    Result<> pull_reset(const Doorbell &doorbell) const;

    Kind kind_ = Kind::copied;
    rvl_firmware_note note_{};
    std::string remoteproc_; // its sysfs directory
    std::string name_;       // name of its firmware
    std::optional<Line> reset_, start_;
    bool answers_ = false; // the reset line is a card's, which reports completion
};

} // namespace rivulet::hal::window
