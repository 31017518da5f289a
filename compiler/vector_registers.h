// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_VECTOR_REGISTERS_H
#define RIVULET_COMPILER_VECTOR_REGISTERS_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Before code is generated: what a loop over strips begins with gets the strip's length. Where more
// vectors live at a time than there are registers, copies of scalars are made where they are
// wanted, not before the loop; loads come behind loops that don't want them; and blocks get another
// order, and make again what one instruction makes, if all fit then. Says whether that was needed.
bool relieve_vector_registers(llvm::Function &function);

} // namespace rivulet::compiler

#endif
