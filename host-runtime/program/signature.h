// SPDX-License-Identifier: Apache-2.0
//
// Signatures of kernels (hal/protocol/signature.h), for devices that demand them.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <vector>

#include "host-runtime/program/kernel_image.h"

namespace rivulet {

using KernelSignature = std::vector<std::byte>; // empty: none is needed

/// Made with the key that RIVULET_SIGN_KEY names, else the one that the image's file bears; or a
/// line for the build log.
std::expected<KernelSignature, std::string> signature_of(const KernelImage &image);

} // namespace rivulet
