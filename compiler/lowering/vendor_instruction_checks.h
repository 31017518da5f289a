// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_LOWERING_VENDOR_INSTRUCTION_CHECKS_H
#define RIVULET_COMPILER_LOWERING_VENDOR_INSTRUCTION_CHECKS_H

#include <string>

#include <llvm/IR/Function.h>

#include "compiler/support/program.h"

namespace rivulet::compiler {

// What is wrong with a function of a board's table (vendor_instructions.h); empty if it is fine.
// The body has to compute only, because LLVM may move and repeat calls. `with_forms`: the target
// has the extension, so its instructions can be assembled.
std::string find_mistake(llvm::Function &function, const Target &target, bool with_forms);

} // namespace rivulet::compiler

#endif
