// SPDX-License-Identifier: Apache-2.0
//
// A pass over functions is a class that its own file defines, x_y.cpp for pass rvl-x-y, and a row
// of passes/PassRegistry.def. It needs no header: both its file and passes/register.cpp declare the
// class with this macro.
#ifndef RIVULET_COMPILER_SUPPORT_FUNCTION_PASS_H
#define RIVULET_COMPILER_SUPPORT_FUNCTION_PASS_H

#include <llvm/IR/PassManager.h>

#define RVL_FUNCTION_PASS(CLASS)                                                                   \
    struct CLASS : llvm::PassInfoMixin<CLASS> {                                                    \
        static llvm::StringRef name() { return #CLASS; }                                           \
        llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);            \
    }

namespace rivulet::compiler {

// The result of a pass that keeps no analysis up to date.
inline llvm::PreservedAnalyses preserved_unless(bool changed) {
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace rivulet::compiler

#endif
