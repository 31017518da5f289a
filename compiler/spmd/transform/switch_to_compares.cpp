// SPDX-License-Identifier: Apache-2.0
//
// Turns a switch of few cases into a chain of comparisons. Lanes run all cases one after the other,
// so nothing is gained by the binary search that lower-switch, which runs next, makes of a switch:
// it costs one more mask for each level.
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(SwitchToComparesPass);

// A switch of at most so many cases becomes comparisons one after the other: lanes run all of them,
// and a search by halves has one mask more for each.
constexpr unsigned compare_chain_max_cases = 4; // cases

PreservedAnalyses SwitchToComparesPass::run(Function &function, FunctionAnalysisManager &) {
    SmallVector<SwitchInst *> switches;
    for (BasicBlock &block : function)
        if (auto *choice = dyn_cast<SwitchInst>(block.getTerminator());
            choice && choice->getNumCases() <= compare_chain_max_cases)
            switches.push_back(choice);
    for (SwitchInst *choice : switches) {
        BasicBlock *block = choice->getParent();
        IRBuilder<> builder(choice);
        auto enter = [&](BasicBlock *to) {
            for (PHINode &phi : to->phis())
                phi.addIncoming(phi.getIncomingValueForBlock(block), builder.GetInsertBlock());
        };
        // The last one needs no comparison where there is nothing else.
        bool complete = choice->defaultDestUnreachable();
        for (const auto &case_ : choice->cases()) {
            BasicBlock *to = case_.getCaseSuccessor();
            if (complete && case_.getCaseIndex() + 1 == choice->getNumCases()) {
                builder.CreateBr(to);
                enter(to);
                break;
            }
            auto *next = BasicBlock::Create(function.getContext(), block->getName() + ".next",
                                            &function, block->getNextNode());
            builder.CreateCondBr(builder.CreateICmpEQ(choice->getCondition(), case_.getCaseValue()),
                                 to, next);
            enter(to);
            builder.SetInsertPoint(next);
        }
        if (!complete) {
            builder.CreateBr(choice->getDefaultDest());
            enter(choice->getDefaultDest());
        }
        for (BasicBlock *to : successors(choice))
            to->removePredecessor(block, /*KeepOneInputPHIs=*/true);
        choice->eraseFromParent();
    }
    if (!switches.empty())
        EliminateUnreachableBlocks(function);
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
