// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_VECTOR_PRESSURE_H
#define RIVULET_COMPILER_RVV_IR_VECTOR_PRESSURE_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Before code is generated: what a loop over strips begins with gets the strip's length. Where more
// vectors live at a time than there are registers, copies of scalars are made where they are
// wanted, not before the loop; loads come behind loops that don't want them, and into those that
// alone do; blocks get another order; what was loaded is loaded again, and what one instruction
// makes is made again, if all fit then.
void reduce_vector_pressure(llvm::Function &function);

// Where vectors don't fit in spite of that: chooses itself what is put away on the stack when, and
// what is made again instead, in blocks that don't pass on more than fits; the stack isn't used
// where that takes only a few instructions more. Whether there was any.
bool spill_vectors(llvm::Function &function);

} // namespace rivulet::compiler

#endif
