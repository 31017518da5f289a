// SPDX-License-Identifier: Apache-2.0
//
// Gives loops without an exit one that is never taken, on a condition that LLVM can't fold: that
// the NDRange has no dimension. The vectoriser needs an exit for each loop; mergereturn runs next.
// Expects loops in simplified form (one latch).
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
