// SPDX-License-Identifier: Apache-2.0
//
// A board's flash.toml: how firmware gets onto it. The format is described in boards/README.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"

namespace rivulet::flash {

struct Recipe {
    std::string board;
    std::string method; // unless --via says otherwise
    uint64_t slot_bytes = 0;

    struct SdCard {
        uint64_t offset = 0; // of the header
        std::string magic;
        uint64_t payload_offset = 0; // from the start of the header
    } sdcard;
    struct Pflash {
        uint64_t bytes = 0;       // of the chip
        uint64_t base = 0;        // address seen by harts
        uint64_t block_bytes = 0; // erase block size
        uint64_t slot_a = 0;      // offset in the chip
        uint64_t slot_b = 0;      // 0: there is only one slot
        uint64_t floor = 0;       // the block with the marks of the security floor
    } pflash;
    std::string gdb_target;
    struct OpenOcd {
        std::string interface; // a configuration file in OpenOCD's search path
        std::string config;    // in the board's directory, or absolute
    } openocd;
    struct Fastboot {
        std::string target;  // as for fastboot -s
        std::string product; // expected result of `getvar product`
        bool reads_back = false;
    } fastboot;
    struct Remoteproc {
        std::string processor = "remoteproc0";
    } remoteproc;
};

/// Reads boards/NAME/flash.toml in Rivulet's data directory.
Result<Recipe> read_recipe(const std::string &data, const std::string &board);

} // namespace rivulet::flash
