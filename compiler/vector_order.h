// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_VECTOR_ORDER_H
#define RIVULET_COMPILER_VECTOR_ORDER_H

#include "compiler/aliases.h"
#include "compiler/vector_liveness.h"

namespace rivulet::compiler {

// Gives a block's instructions the order in which the fewest vector registers are in use at a time,
// of those that are tried. Nothing changes where it isn't more than `enough`.
void reorder(llvm::BasicBlock &block, const VectorLiveness &liveness, Aliases &aliases,
             unsigned enough);

} // namespace rivulet::compiler

#endif
