// SPDX-License-Identifier: Apache-2.0
//
// Devices that kernel images are read for, and what is done with a valid one.
#pragma once

#include <cstdlib>

#include "hal/protocol/launch.h"
#include "host-runtime/program/kernel_image.h"

namespace rivulet::fuzz {

inline const std::vector<InstructionSet> &devices() {
    static const std::vector<InstructionSet> all = {
        {"rv64imafdcv_zvl256b", 64, 256}, {"rv32imafc_zve32f", 32, 128}, {"host", 64, 0}};
    return all;
}

/// Aborts the program if an invariant does not hold.
inline void must(bool holds) {
    if (!holds)
        std::abort();
}

inline void use(const KernelImage &image) {
    must(image.code_bytes() <= image.memory_bytes());
    must(image.relocated_to(0x80000000).size() == image.memory_bytes());
    for (const ImageKernel &kernel : image.kernels()) {
        must(image.kernel(kernel.name) == &kernel && kernel.has_definition_of(kernel));
        must(kernel.note.entry < image.code_bytes());
        for (const ImageArgument &argument : kernel.arguments)
            must(argument.note.offset < kernel.note.argument_bytes);
    }
}

} // namespace rivulet::fuzz
