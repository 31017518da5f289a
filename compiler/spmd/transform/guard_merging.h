// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_GUARD_MERGING_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_GUARD_MERGING_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Merges branches that follow each other at the function's start and lead to the same block into
// one, which tests the uniform parts of all conditions first. A row that takes the block as a whole
// then needs one scalar branch:
//
//   if (x == 0 || y == 0) goto border;  if (x == w - 1 || y == h - 1) goto border;
//   →  if ((y == 0 || y == h - 1) || (x == 0 || x == w - 1)) goto border;
void merge_guards(llvm::Function &function);

} // namespace rivulet::compiler

#endif
