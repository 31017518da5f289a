// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_SCALAR_OPERANDS_H
#define RIVULET_COMPILER_RVV_IR_SCALAR_OPERANDS_H

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>

#include "compiler/analysis/operations.h"

namespace rivulet::compiler {

// The operand that an instruction takes from a scalar FP register (its .vf form); null for others.
// The addend of a multiply-add is always a vector.
inline llvm::Value *scalar_of(const llvm::Use &use) {
    auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    const bool takes =
        is_fma(*user) ? use.getOperandNo() < 2
                      : llvm::isa<llvm::BinaryOperator>(user) || llvm::isa<llvm::FCmpInst>(user);
    return takes && llvm::isa<llvm::ScalableVectorType>(use->getType()) &&
                   use->getType()->isFPOrFPVectorTy()
               ? llvm::getSplatValue(use.get())
               : nullptr;
}

} // namespace rivulet::compiler

#endif
