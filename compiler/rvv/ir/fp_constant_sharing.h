// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_FP_CONSTANT_SHARING_H
#define RIVULET_COMPILER_RVV_IR_FP_CONSTANT_SHARING_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Merges scalar operands that differ in nothing but their sign, so that they share one register:
// the instructions come in both signs.
void share_negated_constants(llvm::Function &function);

// Where a loop uses more scalars than there are FP registers, reloads the least used ones at their
// uses: LLVM would spill others around them. Returns whether there were any.
bool spill_scalars(llvm::Function &function);

} // namespace rivulet::compiler

#endif
