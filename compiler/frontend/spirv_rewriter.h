// SPDX-License-Identifier: Apache-2.0
//
// Rewrites SPIR-V that llvm-spirv 15 to 22 cannot read, or read wrongly, into SPIR-V that each of
// them can.
#ifndef RIVULET_COMPILER_FRONTEND_SPIRV_REWRITER_H
#define RIVULET_COMPILER_FRONTEND_SPIRV_REWRITER_H

#include <expected>
#include <string>

#include "compiler/frontend/spirv_module.h"

namespace rivulet::compiler {

// llvm-spirv fails on some modules only because of their debug information.
enum class DebugInformation { kept, dropped };

std::expected<spirv::Words, std::string>
adapt_to_llvm_spirv(const spirv::Words &module, DebugInformation debug = DebugInformation::kept);

} // namespace rivulet::compiler

#endif
