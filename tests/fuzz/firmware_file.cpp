// SPDX-License-Identifier: Apache-2.0
//
// Firmware files, as RIVULET_FIRMWARE names them.
#include "hal/core/firmware_file.h"

#include <algorithm>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const std::span file(reinterpret_cast<const std::byte *>(data), size);
    const auto firmware = rivulet::hal::parse_firmware(file, "firmware.elf");
    if (firmware)
        for (const auto &segment : firmware->segments)
            if (segment.contents.size() > segment.bytes ||
                std::ranges::count(segment.contents, std::byte{0}) < 0)
                std::abort();
    return 0;
}
