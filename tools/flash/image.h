// SPDX-License-Identifier: Apache-2.0
//
// Images for flash: the firmware as one contiguous memory image, in the formats of boot ROMs and
// boot loaders.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hal/core/firmware_file.h"
#include "tools/flash/recipe.h"
#include "tools/flash/signing.h"

namespace rivulet::flash {

/// A file's contents from its first segment to its last, as in memory.
struct Flat {
    uint64_t address = 0;
    uint64_t entry = 0;
    Bytes bytes;
};
Result<Flat> flatten(const hal::FirmwareFile &firmware);

/// An SD card: partition table, header with length and SHA-256, firmware.
Result<Bytes> sd_card_image(const Recipe &recipe, const Flat &firmware);
/// U-Boot's legacy image, for `bootm`.
Result<Bytes> uboot_image(const Flat &firmware, const std::string &name);
/// An ELF file with nothing but the firmware: U-Boot's `bootelf -p` loads every program header,
/// whatever its type.
Bytes bare_elf(const Flat &firmware, unsigned xlen);
/// U-Boot's FIT image, for `bootm`.
Result<Bytes> fit_image(const Flat &firmware, const std::string &name);

} // namespace rivulet::flash
