// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_RUN_PASSES_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_RUN_PASSES_H

#include <llvm/IR/PassManager.h>

namespace rivulet::compiler {

// Runs LLVM's passes in order, and discards all analyses of the function.
template <class... Passes>
void run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses, Passes &&...passes) {
    llvm::FunctionPassManager manager;
    (manager.addPass(std::move(passes)), ...);
    manager.run(function, analyses);
    analyses.clear(function, function.getName());
}

} // namespace rivulet::compiler

#endif
