// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rivulet {

class ContextDevice;

/// Copies code to where it is executed, with RVL_MEMORY_LOAD_CODE, and waits for completion.
/// `destination` is in the context's arena of code. `signature` is empty or RVL_SIGNATURE_BYTES
/// long. Fails with CL_OUT_OF_RESOURCES, or CL_INVALID_BINARY if the device requires another
/// signature.
void load_code(const ContextDevice &context_device, uint64_t destination,
               std::span<const std::byte> code, std::span<const std::byte> signature);

} // namespace rivulet
