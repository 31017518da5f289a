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
    std::string type;  // QEMU's machine type, our board: "virt"
    std::string model; // of the machine's CPU: "rv64"
    std::string isa;   // "rv64imafdcv_zba_…"
    uint32_t xlen = 0;
    uint32_t vlen = 0;
    uint32_t harts = 0;
    uint64_t memory_bytes = 0;
    bool counts_instructions = false; // -icount: time counts instructions; one thread runs all
                                      // harts
};

/// The machine selected by the settings machine, harts, memory and data.
Result<Machine> find_machine(const Settings &settings);

} // namespace rivulet::hal::qemu
