// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_ANALYSIS_FMA_UTILS_H
#define RIVULET_COMPILER_ANALYSIS_FMA_UTILS_H

#include <llvm/IR/PatternMatch.h>

namespace rivulet::compiler {

// a · b + c, rounded once, or as code generation likes; operand 2 is c.
inline bool is_fma(const llvm::Value &value) {
    using namespace llvm::PatternMatch;
    return match(&value, m_Intrinsic<llvm::Intrinsic::fma>()) ||
           match(&value, m_Intrinsic<llvm::Intrinsic::fmuladd>());
}

} // namespace rivulet::compiler

#endif
