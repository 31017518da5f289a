// SPDX-License-Identifier: Apache-2.0
//
// Writes memory and registers of RISC-V harts as an ELF core file for gdb and readelf.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

namespace rivulet {

struct CoreThread {
    uint32_t id = 0;                      // from 1
    uint32_t signal = 0;                  // signal that ended all of them, by Linux's numbers; 0:
                                          // none
    std::array<uint64_t, 32> registers{}; // pc, x1 to x31
};

struct CoreRange {
    uint64_t address = 0;
    uint64_t bytes = 0;
};

using CoreReader = std::function<Result<>(uint64_t address, std::span<std::byte> to)>;

struct Core {
    uint32_t xlen = 64;
    std::vector<CoreThread> threads; // gdb selects the first
    std::vector<CoreRange> ranges;   // whole pages
};

/// Writes a core to a new, seekable file. Zero pages become holes.
Result<> write_core(int file, const Core &core, const CoreReader &read);
/// Writes the complete file or none at all.
Result<> write_core(const std::string &path, const Core &core, const CoreReader &read);

} // namespace rivulet
