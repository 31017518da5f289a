// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_GUARD_MERGING_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_GUARD_MERGING_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Branches that follow each other at the function's start and lead to the same block become one,
// whose condition tells first what is the same for a whole row:
//
//   if (x == 0 || y == 0) goto border;  if (x == w - 1 || y == h - 1) goto border;
//   →  if ((y == 0 || y == h - 1) || (x == 0 || x == w - 1)) goto border;
void merge_guards(llvm::Function &function);

} // namespace rivulet::compiler

#endif
