// SPDX-License-Identifier: Apache-2.0
//
// A board as described by its device tree. read_board() throws a message if the firmware could not
// work on it.
#pragma once

#include <array>

#include "boards/generator/tree.h"

namespace rivulet::boards {

struct Hart {
    uint32_t id; // mhartid
    std::string isa;
    std::string core;          // the first compatible string: "spacemit,x60"; may be empty
    uint32_t cache_block;      // of cbo.clean and its like
    uint32_t cache_zero_block; // of cbo.zero
    bool has_sstc;
};

/// A wire from an interrupt controller or timer to a hart.
constexpr uint32_t supervisor_external = 9, machine_external = 11; // causes

struct Line {
    uint32_t hart_id;
    uint32_t cause; // 3 software, 7 timer, or external
    uint32_t index; // of its registers: PLIC context, CLINT comparator, page of an IMSIC …
};

struct Device {
    std::string path;
    std::string label; // may be empty
    std::vector<std::string> compatible;
    std::vector<Range> ranges;
    uint32_t interrupt = 0; // 0: none
    int controller = -1;    // index among the devices
    uint32_t reg_shift = 0;
    uint32_t io_width = 0; // bytes; 0: unspecified
    uint32_t clock = 0;
    std::array<uint32_t, 2> ring = {};        // rivulet,ring: offset, value
    std::array<uint32_t, 2> acknowledge = {}; // rivulet,acknowledge
    uint32_t guest_bits = 0;                  // IMSICs: riscv,guest-index-bits
    bool sends_messages = false;              // interrupt controllers: has an msi-parent
    std::vector<Line> lines;
};

struct Board {
    std::string model;
    std::vector<std::string> compatible;
    uint32_t timebase = 0;
    std::vector<Hart> harts; // the first one boots
    std::vector<Range> memory;
    Range ram; // the memory that contains the firmware's regions
    Range firmware, mailbox, hart_memory;
    Range boot;                     // size 0 on boards without a boot stage
    Range scratchpad;               // size 0 on boards without one
    bool harts_are_apart = false;   // their memory is tightly coupled, and no part of the RAM
    uint64_t hart_memory_bytes = 0; // per hart
    uint64_t most_harts = 64;       // that the firmware uses
    std::vector<Range> reserved;    // for others
    uint64_t heap_first = 0;        // the lowest address at which the heap may begin
    Range heap;
    std::vector<Device> devices;
    int console = -1;                                       // index among the devices
    std::vector<std::pair<std::string, uint32_t>> settings; // rivulet,NAME of /chosen
    bool is_supervisor = false; // the firmware runs in S mode, above an SBI
    bool has_own_drivers = false;
    std::vector<std::string> notes; // messages about oddities that are not errors
    std::vector<uint8_t> key;       // for verifying signatures; may be empty
};

/// `has_own_drivers`: the board's directory has .c files, which may provide what the tree lacks.
Board read_board(const Tree &, bool has_own_drivers);
/// The 32 bytes of an Ed25519 public key in PEM.
std::vector<uint8_t> read_key(const std::string &path);

void write_header(const Tree &, const Board &, std::ostream &);
void write_linker_script(const Board &, std::ostream &);
/// For humans and tests.
void write_summary(const Board &, std::ostream &);

} // namespace rivulet::boards
