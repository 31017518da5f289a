// SPDX-License-Identifier: Apache-2.0
//
// The parts of SPIR-V that the runtime reads itself: its outer structure, and the defaults of
// specialization constants, which are changed in the module before it is compiled.
#pragma once

#include <cstddef>
#include <span>

#include "host-runtime/include/opencl.h"

namespace rivulet::spirv {

constexpr cl_uint highest_minor = 6; // of version 1

/// True if there is a header with a supported version, and instructions fill the rest exactly.
bool is_module(std::span<const std::byte> bytes);

/// Sets a constant in such a module; returns the result of clSetProgramSpecializationConstant.
cl_int specialize(std::span<std::byte> module, cl_uint id, std::span<const std::byte> value);

} // namespace rivulet::spirv
