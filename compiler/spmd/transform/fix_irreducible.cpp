// SPDX-License-Identifier: Apache-2.0
//
// Runs LLVM's fix-irreducible, which gives each cycle a single entry, on functions that need it.
// The vectoriser and all analyses of lanes know natural loops only, and goto in a kernel makes
// others.
//
// Critical edges are split first: LLVM's pass loses the phi operands of a block that branches to
// two entries of one cycle. Splitting costs blocks that simplifycfg doesn't remove here, so
// functions without such a cycle are left alone.
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(FixIrreduciblePass);

PreservedAnalyses FixIrreduciblePass::run(Function &function, FunctionAnalysisManager &analyses) {
    ReversePostOrderTraversal<Function *> order(&function);
    if (!containsIrreducibleCFG<BasicBlock *>(order, analyses.getResult<LoopAnalysis>(function)))
        return PreservedAnalyses::all();
    SplitAllCriticalEdges(function);
    analyses.invalidate(function, PreservedAnalyses::none());
    llvm::FixIrreduciblePass().run(function, analyses);
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
