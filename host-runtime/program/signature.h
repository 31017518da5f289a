// SPDX-License-Identifier: Apache-2.0
//
// Signatures of kernels (hal/protocol/signature.h), for devices that require them.
#pragma once

#include <array>
#include <cstddef>

#include "hal/protocol/signature.h"
#include "host-runtime/program/kernel_image.h"

namespace rivulet {

using KernelSignature = std::array<std::byte, RVL_SIGNATURE_BYTES>;

/// Signs with the key in RIVULET_SIGN_KEY, otherwise copies the signature from the image's file.
/// Returns null or a line for the build log.
const char *find_signature(const KernelImage &image, KernelSignature &signature);

/// Whether code that is compiled in this process can be signed.
bool signs_compiled_code();

} // namespace rivulet
