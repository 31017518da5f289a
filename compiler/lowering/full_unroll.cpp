// SPDX-License-Identifier: Apache-2.0
//
// Unrolls short loops of known length completely, before work-items become lanes: private arrays
// that they index become values, and what they step over known offsets. Cautiously (LLVM's level 3
// counts what unrolling simplifies), and not the loops of nests while dead paths index their
// arrays.
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

RVL_FUNCTION_PASS(FullUnrollPass);

llvm::PreservedAnalyses FullUnrollPass::run(llvm::Function &function,
                                            llvm::FunctionAnalysisManager &analyses) {
    return llvm::createFunctionToLoopPassAdaptor(llvm::LoopFullUnrollPass(3))
        .run(function, analyses);
}

} // namespace rivulet::compiler
