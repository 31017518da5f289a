// SPDX-License-Identifier: Apache-2.0
//
// Records of printf as a kernel could leave them. The first two bytes are the length of the image
// with the strings; the rest is records.
#include "host-runtime/program/printf.h"

#include <algorithm>
#include <cstring>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint16_t image_bytes = 0;
    if (size < sizeof image_bytes)
        return 0;
    std::memcpy(&image_bytes, data, sizeof image_bytes);
    const auto *begin = reinterpret_cast<const std::byte *>(data) + sizeof image_bytes;
    size -= sizeof image_bytes;
    const size_t split = std::min<size_t>(image_bytes, size);
    // Separate vectors, so that out-of-bounds reads are detected.
    const std::vector image(begin, begin + split);
    const std::vector records(begin + split, begin + size);
    static std::FILE *const nowhere = std::fopen("/dev/null", "w");
    for (const auto kind : {rivulet::PrintfRecords::compact, rivulet::PrintfRecords::old})
        rivulet::print_records(records, kind, image, 0x80000000, nowhere);
    return 0;
}
