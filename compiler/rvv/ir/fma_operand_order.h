// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_FMA_OPERAND_ORDER_H
#define RIVULET_COMPILER_RVV_IR_FMA_OPERAND_ORDER_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// vfmadd.vv overwrites one of its factors: code generation takes the second, where both end there.
// Makes that one a value of this block alone. The other may be what a loop carries, in a register
// that is written before: a copy of it.
void order_fma_operands(llvm::Function &function);

} // namespace rivulet::compiler

#endif
