// SPDX-License-Identifier: Apache-2.0
//
// Build options that clang applies to OpenCL C, applied to a module that was read from SPIR-V.
#ifndef RIVULET_COMPILER_FRONTEND_SPIRV_OPTIONS_H
#define RIVULET_COMPILER_FRONTEND_SPIRV_OPTIONS_H

#include <llvm/IR/Module.h>

#include "compiler/frontend/build_options.h"

namespace rivulet::compiler {

// -cl-uniform-work-group-size and the options for floating point (5.6.4.3). Flags that the module
// has by itself (FPFastMathMode) stay.
void apply_options_to_spirv(llvm::Module &module, const Options &options);

} // namespace rivulet::compiler

#endif
