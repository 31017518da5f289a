// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_VECTOR_PRESSURE_H
#define RIVULET_COMPILER_RVV_IR_VECTOR_PRESSURE_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Implements rvl-spill-vectors. Returns whether anything changed.
bool spill_vectors(llvm::Function &function);

} // namespace rivulet::compiler

#endif
