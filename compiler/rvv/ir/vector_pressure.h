// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_VECTOR_PRESSURE_H
#define RIVULET_COMPILER_RVV_IR_VECTOR_PRESSURE_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Lowers register pressure before code generation. The start values of loops over strips get the
// strip's VL. Where more vectors are live than there are registers, splats sink to their users;
// loads sink behind loops that don't use them, and into loops that alone use them; blocks are
// reordered; loads are repeated, and values that one instruction computes are rematerialised, if
// everything fits then.
void reduce_vector_pressure(llvm::Function &function);

// Spills where vectors don't fit in spite of that: chooses which values are spilled when and which
// are rematerialised instead, in blocks whose live-in and live-out values fit. Avoids the stack
// where that takes only a few instructions more. Returns whether anything changed.
bool spill_vectors(llvm::Function &function);

} // namespace rivulet::compiler

#endif
