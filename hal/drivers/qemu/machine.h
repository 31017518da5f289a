// SPDX-License-Identifier: Apache-2.0
//
// A machine profile: the file that QEMU reads (-readconfig), and what the driver needs from it.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "hal/core/config.h"

namespace rivulet::hal::qemu {

struct Machine {
    std::string name; // "rv64-v512"
    std::string path;
    std::string type;  // QEMU's machine type: "virt"
    std::string board; // whose firmware runs there: "virt"
    std::string model; // of the machine's CPU: "rv64"; empty if the machine has only one
    std::string isa;   // "rv64imafdcv_zba_…"
    std::string firmware_extension; // in it, of the firmware: RVL_COPY_EXTENSION; may be empty
    uint32_t xlen = 0;
    uint32_t vlen = 0;
    uint32_t harts = 0;
    uint32_t most_harts = RVL_MASK_HARTS; // that the firmware uses: rivulet,max-harts of its board
    uint64_t memory_bytes = 0;
    uint64_t memory_base = 0;         // address of the machine's RAM
    uint64_t window_base = 0;         // of the part of it that is the board's memory
    uint64_t window_bytes = 0;        // 0: all of it
    uint32_t console = 0;             // which of the machine's serial ports
    bool has_doorbell = true;         // an ivshmem device; otherwise both sides poll
    bool has_sbi = false;             // QEMU loads it, and it starts the firmware in S mode
    bool counts_instructions = false; // -icount: time counts instructions; one thread runs all
                                      // harts
};

/// The machine selected by the settings machine, harts, memory and data.
Result<Machine> find_machine(const Settings &settings);

} // namespace rivulet::hal::qemu
