// SPDX-License-Identifier: Apache-2.0
//
// The firmware's ELF file: its note and its segments. Used by the common code, and by drivers that
// place segments themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "hal/protocol/mailbox.h"

namespace rivulet::hal {

struct Segment {
    uint64_t address;
    uint64_t bytes; // in memory; the part beyond `contents` is zero
    std::span<const std::byte> contents;
};

struct FirmwareFile {
    rvl_firmware_note note{};
    uint64_t entry = 0;
    std::vector<Segment> segments;
};

/// The least local memory of a work-group; 0: the firmware is too old to tell.
uint64_t local_memory_of(const rvl_firmware_note &note, uint32_t harts);

/// Views in the result refer to `elf`. `name` is for messages.
Result<FirmwareFile> parse_firmware(std::span<const std::byte> elf, const std::string &name);

} // namespace rivulet::hal
