// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_INTEGER_DEMOTION_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_INTEGER_DEMOTION_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Computes integers of up to 32 bits in `bits` bits where that gives the same results. Returns
// whether anything changed.
bool demote_integers(llvm::Function &work_item, unsigned bits);

} // namespace rivulet::compiler

#endif
