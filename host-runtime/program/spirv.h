// SPDX-License-Identifier: Apache-2.0
//
// The parts of SPIR-V that the runtime itself reads: its outer form, and the defaults of its
// specialisation constants, which are changed in the module before it goes to the compiler.
#pragma once

#include <cstddef>
#include <span>

#include "host-runtime/api/opencl.h"

namespace rivulet::spirv {

constexpr cl_uint highest_minor = 4; // of version 1

/// A header of a version that is taken, and instructions that fill the rest exactly.
bool is_module(std::span<const std::byte> bytes);

/// Sets a constant of such a module; the result is what clSetProgramSpecializationConstant returns.
cl_int specialize(std::span<std::byte> module, cl_uint id, std::span<const std::byte> value);

} // namespace rivulet::spirv
