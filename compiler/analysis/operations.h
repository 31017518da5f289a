// SPDX-License-Identifier: Apache-2.0
//
// Recognises kinds of operations for which LLVM has several instructions.
#ifndef RIVULET_COMPILER_ANALYSIS_OPERATIONS_H
#define RIVULET_COMPILER_ANALYSIS_OPERATIONS_H

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/PatternMatch.h>

namespace rivulet::compiler {

// a · b + c, rounded once or as code generation chooses; operand 2 is c.
inline bool is_fma(const llvm::Value &value) {
    using namespace llvm::PatternMatch;
    return match(&value, m_Intrinsic<llvm::Intrinsic::fma>()) ||
           match(&value, m_Intrinsic<llvm::Intrinsic::fmuladd>());
}

// An integer sum or difference.
inline bool is_sum(const llvm::Value *value) {
    auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    return operation && (operation->getOpcode() == llvm::Instruction::Add ||
                         operation->getOpcode() == llvm::Instruction::Sub);
}

inline bool is_fp_minimum_or_maximum(const llvm::Value &value) {
    using namespace llvm::PatternMatch;
    return match(&value, m_Intrinsic<llvm::Intrinsic::minnum>()) ||
           match(&value, m_Intrinsic<llvm::Intrinsic::maxnum>());
}

} // namespace rivulet::compiler

#endif
