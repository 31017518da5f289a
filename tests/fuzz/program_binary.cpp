// SPDX-License-Identifier: Apache-2.0
//
// clCreateProgramWithBinary accepts an image, an object with our header, or bare bitcode.
// clGetProgramInfo returns what was parsed, which is parsed again.
#include "host-runtime/program/binary.h"

#include "tests/fuzz/devices.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const std::span bytes(reinterpret_cast<const std::byte *>(data), size);
    for (const auto &device : rivulet::fuzz::devices()) {
        const auto binary = rivulet::Binary::read(bytes, device);
        if (!binary)
            continue;
        const auto again = rivulet::Binary::read(binary->file(device), device);
        rivulet::fuzz::must(again && again->type == binary->type &&
                            again->object == binary->object);
    }
    return 0;
}
