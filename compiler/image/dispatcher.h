// SPDX-License-Identifier: Apache-2.0
//
// runtime/dispatch.c, compiled for each target when the compiler is built.
#ifndef RIVULET_COMPILER_IMAGE_DISPATCHER_H
#define RIVULET_COMPILER_IMAGE_DISPATCHER_H

#include <string>

#include "compiler/support/program.h"

namespace rivulet::compiler {

// The symbol of the dispatcher; a RISC-V image starts with "rivulet.start" instead.
constexpr llvm::StringLiteral dispatcher = "rivulet.dispatch";

// An object file that can be linked with `kernels`, one for this target.
std::string dispatcher_for(llvm::StringRef kernels, const Target &target);

} // namespace rivulet::compiler

#endif
