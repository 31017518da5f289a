// SPDX-License-Identifier: Apache-2.0
//
// Takes what a debug port can't tell from the board's device tree: memory, ISA and the doorbell.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/error.h"

namespace rivulet::hal::gdb {

struct Board {
    std::string name; // folder under boards/
    std::string isa;  // "rv64imafdcv_zba_…", of the first hart
    std::string core; // "spacemit,x60", likewise; may be empty
    uint32_t xlen = 0;
    uint32_t harts = 0;
    uint64_t memory_base = 0; // of the memory range that contains the firmware
    uint64_t memory_bytes = 0;
    uint32_t vlen = 0;
    uint64_t bell = 0; // where 1 interrupts hart 0: its MSIP register or its IMSIC's page; 0: none
};

/// Facts given by the user; 0 and "" if unspecified.
struct Overrides {
    std::string isa;
    uint32_t harts = 0;
    uint32_t vlen = 0;
    uint64_t memory_bytes = 0;

    void apply_to(Board &board) const;
};

/// Reads boards/NAME/board.dtb in Rivulet's data directory.
Result<Board> read_board(const std::string &data, const std::string &name);

/// Takes harts, ISA and memory from a tree in the device itself, which QEMU generates for its
/// command line. Inconsistent information is ignored.
void refine(Board &board, std::span<const std::byte> tree);

} // namespace rivulet::hal::gdb
