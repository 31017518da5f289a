// SPDX-License-Identifier: Apache-2.0
//
// Values that are rematerialised rather than spilled under register pressure. The cost model
// (spmd/plan/lmul_selection.h) reckons with what vector_pressure.h does.
#ifndef RIVULET_COMPILER_RVV_IR_REMATERIALISATION_H
#define RIVULET_COMPILER_RVV_IR_REMATERIALISATION_H

#include <llvm/IR/InstrTypes.h>

namespace rivulet::compiler {

// By one cheap instruction, if what it is made of is there.
inline bool is_trivially_rematerialisable(const llvm::Value *value) {
    auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    return operation && !operation->isIntDivRem() &&
           operation->getOpcode() != llvm::Instruction::FDiv &&
           operation->getOpcode() != llvm::Instruction::FRem;
}

} // namespace rivulet::compiler

#endif
