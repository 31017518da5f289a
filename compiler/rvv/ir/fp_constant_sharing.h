// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_FP_CONSTANT_SHARING_H
#define RIVULET_COMPILER_RVV_IR_FP_CONSTANT_SHARING_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Scalars that vectors are added to and multiplied by, and that differ in nothing but their sign,
// become one, which takes one register: the instructions come in both signs.
void share_negated_constants(llvm::Function &function);

// Where a loop takes more scalars than there are registers for them, those that are used least are
// fetched where they are wanted: LLVM would move others out of the way and back. Whether there were
// any.
bool spill_scalars(llvm::Function &function);

} // namespace rivulet::compiler

#endif
