// SPDX-License-Identifier: Apache-2.0
//
// Integers of 33 to 63 bits, as LLVM makes them of comparisons (2 · v > c of 64 bits asks for 63 of
// v): as ones of 64 bits, of which the upper ones are zero.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_INTEGER_PROMOTION_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_INTEGER_PROMOTION_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Values that come from elsewhere, or go there, keep their types.
void promote_odd_integers(llvm::Function &function);

} // namespace rivulet::compiler

#endif
