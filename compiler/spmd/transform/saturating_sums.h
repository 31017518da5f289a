// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_SATURATING_SUMS_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_SATURATING_SUMS_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Computes sums of integers of `bits` bits in as many, saturated, where they are only compared with
// numbers that fit. Returns whether anything changed.
bool saturate_sums(llvm::Function &work_item, unsigned bits);

} // namespace rivulet::compiler

#endif
