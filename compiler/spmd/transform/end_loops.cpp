// SPDX-License-Identifier: Apache-2.0
//
// Gives each loop without an exit one that is never taken. Lanes run a loop until all of them have
// left it, and branches end where their paths meet again, so ControlFlow refuses a loop that
// nothing leaves: without this pass a kernel with `for (;;);` in any branch is not vectorised.
//
// The condition of the exit must be false for every work-item, uniform, and unknown to LLVM, which
// would delete the exit again otherwise. "The NDRange has 0 dimensions" is all three: the number of
// dimensions is a parameter of every work-item function, and the host refuses 0.
//
// Expects work-item functions, which return nothing, with loops in simplified form (one latch). The
// exit leads to a second return; mergereturn runs next.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/support/function_pass.h"
#include "compiler/work_items/parameters.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(EndLoopsPass);

PreservedAnalyses EndLoopsPass::run(Function &function, FunctionAnalysisManager &) {
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    BasicBlock *end = nullptr;
    // A loop without exits is in no other one without exits: its blocks don't reach that one's
    // latch.
    for (Loop *loop : loops.getLoopsInPreorder()) {
        if (!loop->hasNoExitBlocks())
            continue;
        LLVMContext &context = function.getContext();
        if (!end) {
            end = BasicBlock::Create(context, "never", &function);
            ReturnInst::Create(context, end);
        }
        BasicBlock *header = loop->getHeader();
        BasicBlock *latch = loop->getLoopLatch();
        auto *again = BasicBlock::Create(context, "again", &function, header);
        IRBuilder<> builder(again);
        Value *dimensions = function.getArg(parameter::work_dim);
        builder.CreateCondBr(builder.CreateIsNull(dimensions), end, header);
        latch->getTerminator()->replaceSuccessorWith(header, again);
        header->replacePhiUsesWith(latch, again);
    }
    return preserved_unless(end);
}

} // namespace rivulet::compiler
