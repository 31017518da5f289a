// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_INTEGER_DEMOTION_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_INTEGER_DEMOTION_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Computes in so many bits what integers of up to 32 bits need no more for.
void demote_integers(llvm::Function &work_item, unsigned bits);

} // namespace rivulet::compiler

#endif
