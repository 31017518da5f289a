// SPDX-License-Identifier: Apache-2.0
//
// Gives a loop with several back edges one latch. A loop with `continue` has several; LoopSimplify
// guesses that such a loop is two nested ones and splits it, after which lanes leave the inner loop
// one after the other, at each iteration of the outer one.
//
// Runs before any pass that calls LoopSimplify. The loop's hints (opencl_unroll_hint) are metadata
// of the latch, so the new latch takes them over.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

RVL_FUNCTION_PASS(OneBackEdgePass);

llvm::PreservedAnalyses OneBackEdgePass::run(llvm::Function &function,
                                             llvm::FunctionAnalysisManager &analyses) {
    bool changed = false;
    for (llvm::Loop *loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
        llvm::SmallVector<llvm::BasicBlock *> latches;
        loop->getLoopLatches(latches);
        if (latches.size() < 2)
            continue;
        llvm::MDNode *hints = loop->getLoopID();
        llvm::BasicBlock *latch =
            llvm::SplitBlockPredecessors(loop->getHeader(), latches, ".again");
        latch->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, hints);
        changed = true;
    }
    return preserved_unless(changed);
}

} // namespace rivulet::compiler
