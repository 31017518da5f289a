// SPDX-License-Identifier: Apache-2.0
//
// A device's memory and its harts' registers as an ELF core file, which gdb and readelf open.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hal/core/error.h"

namespace rivulet::hal {

struct CoreThread {
    uint32_t id = 0;                      // from 1
    uint32_t signal = 0;                  // that ended all of them, by Linux's numbers; 0: none
    std::array<uint64_t, 32> registers{}; // pc, x1 to x31
};

struct CoreRange {
    uint64_t address = 0;
    uint64_t bytes = 0;
};

using CoreReader = std::function<Result<>(uint64_t address, std::span<std::byte> to)>;

struct Core {
    uint32_t xlen = 64;
    std::vector<CoreThread> threads; // gdb begins with the first
    std::vector<CoreRange> ranges;   // whole pages
};

/// Reads what a device leaves, whether its firmware has failed or runs: a thread for each hart,
/// memory up to the end of what the mailbox points to, and `with_harts` also stacks and local
/// memory of kernels. `memory` is where all of it lies.
Result<Core> core_of_device(const rvl_hello &hello, uint64_t mailbox, const CoreRange &memory,
                            bool with_harts, const CoreReader &read);

/// Writes it into a new file that can seek. Pages of zeros are holes in it.
Result<> write_core(int file, const Core &core, const CoreReader &read);
/// The file is there as a whole or not at all.
Result<> write_core(const std::string &path, const Core &core, const CoreReader &read);

} // namespace rivulet::hal
