// SPDX-License-Identifier: Apache-2.0
//
// The firmware's ELF file: what its note says, and what goes where. For the common code, and for
// drivers that place segments themselves.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hal/core/error.h"

namespace rivulet::hal {

struct Segment {
    uint64_t address;
    uint64_t bytes; // in memory; what exceeds `contents` is zero
    std::span<const std::byte> contents;
};

struct FirmwareFile {
    rvl_firmware_note note{};
    uint64_t entry = 0;
    std::vector<Segment> segments;
};

/// The views in the result point into `elf`. `name` is for messages.
Result<FirmwareFile> parse_firmware(std::span<const std::byte> elf, const std::string &name);

/// A whole file, of at most 64 MiB.
Result<std::vector<std::byte>> read_file(const std::string &path);

} // namespace rivulet::hal
