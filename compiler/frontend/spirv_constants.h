// SPDX-License-Identifier: Apache-2.0
//
// The values of integer and boolean constants that a module computes (OpSpecConstantOp).
#ifndef RIVULET_COMPILER_FRONTEND_SPIRV_CONSTANTS_H
#define RIVULET_COMPILER_FRONTEND_SPIRV_CONSTANTS_H

#include <cstdint>
#include <optional>

#include "compiler/frontend/spirv_module.h"

namespace rivulet::compiler::spirv {

// The result of an OpSpecConstantOp, as many bits as its type has, the rest 0; nothing for other
// types, and for a division by 0. Its operands are constants that the module knows already.
std::optional<uint64_t> computed_constant(const Module &module, const Instruction &instruction);

} // namespace rivulet::compiler::spirv

#endif
