// SPDX-License-Identifier: Apache-2.0
//
// Gives a loop with several back edges one latch. LoopSimplify would make two nested loops of a
// loop with `continue`, which lanes then leave one after the other.
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
        if (latches.size() > 1) {
            llvm::SplitBlockPredecessors(loop->getHeader(), latches, ".again");
            changed = true;
        }
    }
    return preserved_unless(changed);
}

} // namespace rivulet::compiler
