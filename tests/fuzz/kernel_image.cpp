// SPDX-License-Identifier: Apache-2.0
//
// Kernel images: whatever the bytes are, what is read can be used.
#include "host-runtime/program/kernel_image.h"

#include "tests/fuzz/devices.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const auto *bytes = reinterpret_cast<const std::byte *>(data);
    for (const auto &device : rivulet::fuzz::devices()) {
        const auto image = rivulet::KernelImage::read({bytes, bytes + size}, device);
        if (image)
            rivulet::fuzz::use(**image);
    }
    return 0;
}
