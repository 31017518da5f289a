// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_INTEGER_DEMOTION_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_INTEGER_DEMOTION_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// C computes with bytes and shorts in int. Where ranges show that 16 bits are enough, this
// computes in those: twice the lanes in a register, and fewer changes of the vector type.
void demote_integers(llvm::Function &function);

} // namespace rivulet::compiler

#endif
