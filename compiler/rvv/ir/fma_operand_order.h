// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_FMA_OPERAND_ORDER_H
#define RIVULET_COMPILER_RVV_IR_FMA_OPERAND_ORDER_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// vfmadd.vv overwrites one of its factors: code generation takes the second, where both are killed
// there. Makes the second a value of this block alone: the other may be a loop-carried value, whose
// register must not be written early, so that it would be copied.
void order_fma_operands(llvm::Function &function);

} // namespace rivulet::compiler

#endif
