// SPDX-License-Identifier: Apache-2.0
//
// Finds the instruction that a translator of SPIR-V can't take, for its message: translators name
// lines of their own sources.
#ifndef RIVULET_COMPILER_FRONTEND_SPIRV_FAULT_H
#define RIVULET_COMPILER_FRONTEND_SPIRV_FAULT_H

#include <functional>
#include <string>

#include "compiler/frontend/spirv_module.h"

namespace rivulet::compiler {

// "OpIAdd at word 123" for the first instruction with which a module fails that ends after it, or
// an empty string if no single instruction is to blame. `fails` is called about log2(instructions)
// times.
std::string find_spirv_fault(const spirv::Words &module,
                             const std::function<bool(const spirv::Words &)> &fails);

} // namespace rivulet::compiler

#endif
