// SPDX-License-Identifier: Apache-2.0
//
// Loops from x - r to x + r, or from x * n to (x + 1) * n: their bounds differ between lanes, how
// often they run doesn't. Such a loop counts, so that all lanes leave it together.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_UNIFORM_TRIP_COUNT_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_UNIFORM_TRIP_COUNT_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Loops have preheaders and one latch each.
void canonicalise_trip_counts(llvm::Function &work_item);

} // namespace rivulet::compiler

#endif
