// SPDX-License-Identifier: Apache-2.0
//
// runtime/runtime.c, compiled for whatever target needs it.
#ifndef RIVULET_COMPILER_IMAGE_RUNTIME_FUNCTIONS_H
#define RIVULET_COMPILER_IMAGE_RUNTIME_FUNCTIONS_H

#include "compiler/codegen/codegen_driver.h"

namespace rivulet::compiler {

// Generates code for those functions that the runtime has; `needed` returns with the rest.
Code generate_runtime(std::vector<std::string> &needed, const Target &target);

} // namespace rivulet::compiler

#endif
