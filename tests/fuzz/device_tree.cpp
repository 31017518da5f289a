// SPDX-License-Identifier: Apache-2.0
//
// Device trees as passed by a boot loader to the firmware, which knows only the length in the
// tree's header.
#include <cstring>
#include <memory>

extern "C" {
#include "device-firmware/arch/riscv/device_tree.h"
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    constexpr size_t header_bytes = 40;
    if (size < header_bytes)
        return 0;
    const uint32_t said = uint32_t{data[4]} << 24 | data[5] << 16 | data[6] << 8 | data[7];
    if (said > size)
        return 0;
    // Exactly as many bytes, so that reads beyond them are seen.
    const size_t words = (std::max<size_t>(said, header_bytes) + 3) / 4;
    const std::unique_ptr<uint32_t[]> tree(new uint32_t[words]);
    std::memcpy(tree.get(), data, std::min(size, words * 4));
    device_tree result;
    if (device_tree_read(tree.get(), 0x80000000, &result) && result.cpus.isa)
        (void)std::strlen(result.cpus.isa);
    return 0;
}
