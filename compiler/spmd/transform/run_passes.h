// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_RUN_PASSES_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_RUN_PASSES_H

#include <llvm/IR/PassManager.h>

namespace rivulet::compiler {

// LLVM's passes, one after the other. What is known of the function is forgotten.
template <class... Passes>
void run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses, Passes &&...passes) {
    llvm::FunctionPassManager manager;
    (manager.addPass(std::move(passes)), ...);
    manager.run(function, analyses);
    analyses.clear(function, function.getName());
}

} // namespace rivulet::compiler

#endif
