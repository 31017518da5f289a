// SPDX-License-Identifier: Apache-2.0
//
// A board's device tree says what a debug port can't: memory, ISA and the doorbell.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "hal/core/error.h"

namespace rivulet::hal::gdb {

struct Board {
    std::string name; // folder under boards/
    std::string isa;  // "rv64imafdcv_zba_…", of the first hart
    uint32_t xlen = 0;
    uint32_t harts = 0;
    uint64_t memory_base = 0; // of the memory that holds the firmware
    uint64_t memory_bytes = 0;
    uint32_t vlen = 0;
    uint64_t bell = 0; // register of hart 0's software interrupt; 0: none
};

/// Facts that the user knows better; 0 and "" where he does not say.
struct Overrides {
    std::string isa;
    uint32_t harts = 0;
    uint32_t vlen = 0;
    uint64_t memory_bytes = 0;

    void apply_to(Board &board) const;
};

/// boards/NAME/board.dtb in the folder of Rivulet's data.
Result<Board> read_board(const std::string &data, const std::string &name);

/// Harts, ISA and memory of a tree that the device itself has: QEMU makes one for what it was
/// started with. Nothing of it is believed that does not hang together.
void refine(Board &board, std::span<const std::byte> tree);

} // namespace rivulet::hal::gdb
