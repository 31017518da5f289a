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
        uint64_t bytes = 0; // of the chip
        uint64_t base = 0;  // where harts see it
    } pflash;
    std::string gdb_target;
};

/// boards/NAME/flash.toml in the folder of Rivulet's data.
hal::Result<Recipe> read_recipe(const std::string &data, const std::string &board);

} // namespace rivulet::flash
