// SPDX-License-Identifier: Apache-2.0
//
// Signatures of kernels (hal/protocol/signature.h), for devices that demand them.
#pragma once

#include <array>
#include <cstddef>

#include "hal/protocol/signature.h"
#include "host-runtime/program/kernel_image.h"

namespace rivulet {

using KernelSignature = std::array<std::byte, RVL_SIGNATURE_BYTES>;

/// Made with the key that RIVULET_SIGN_KEY names, else the one that the image's file bears. Null,
/// or a line for the build log.
const char *find_signature(const KernelImage &image, KernelSignature &signature);

} // namespace rivulet
