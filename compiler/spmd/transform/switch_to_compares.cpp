// SPDX-License-Identifier: Apache-2.0
//
// Turns a switch of few cases into a chain of comparisons. lower-switch, which runs later, would
// make a binary search. Lanes run all cases one after the other, so a search saves them no
// comparison, and costs one more mask for each level. Longer switches are left to lower-switch,
// whose search pays if the condition is uniform.
//
// Each case keeps an edge of its own, also if several have one target; phis get an operand for
// each.
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(SwitchToComparesPass);

// Not measured.
constexpr unsigned compare_chain_max_cases = 4; // cases of a switch

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
        // If no other value is possible, the last case needs no comparison.
        const bool complete = choice->defaultDestUnreachable() && choice->getNumCases() > 0;
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
    return preserved_unless(!switches.empty());
}

} // namespace rivulet::compiler
