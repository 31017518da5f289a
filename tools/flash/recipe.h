// SPDX-License-Identifier: Apache-2.0
//
// A board's flash.toml: how firmware gets onto it. boards/README.md has the format.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hal/core/error.h"

namespace rivulet::flash {

struct Recipe {
    std::string board;
    std::string method; // unless --via says otherwise
    uint64_t slot_bytes = 0;

    struct SdCard {
        uint64_t offset = 0; // of the header
        std::string magic;
        uint64_t payload_offset = 0; // behind the header's begin
    } sdcard;
    struct Pflash {
        uint64_t bytes = 0;       // of the chip
        uint64_t base = 0;        // where harts see it
        uint64_t block_bytes = 0; // that are erased at a time
        uint64_t slot_a = 0;      // from the chip's begin
        uint64_t slot_b = 0;      // 0: there is one slot
        uint64_t floor = 0;       // the block with the marks of the security floor
    } pflash;
    std::string gdb_target;
    struct OpenOcd {
        std::string interface; // a configuration file that OpenOCD finds
        std::string config;    // in the board's folder, or absolute
    } openocd;
    struct Fastboot {
        std::string target;  // as of fastboot -s
        std::string product; // what `getvar product` has to say
        bool reads_back = false;
    } fastboot;
    struct Remoteproc {
        std::string processor = "remoteproc0";
    } remoteproc;
};

/// boards/NAME/flash.toml in the folder of Rivulet's data.
hal::Result<Recipe> read_recipe(const std::string &data, const std::string &board);

} // namespace rivulet::flash
