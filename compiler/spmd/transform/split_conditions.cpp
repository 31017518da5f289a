// SPDX-License-Identifier: Apache-2.0
//
// Splits branches on u && v (or u || v) of which u is uniform: first a branch on u, which all lanes
// take together, then one on v. In a loop, `while (u && v)` gets an exit that needs no mask;
// otherwise `if (u && v)` skips the guarded code with a scalar branch.
//
// Expects two-way branches and loops in simplified form; leaves more than one exit per loop, so
// unify-loop-exits runs after it.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/analysis/conditions.h"
#include "compiler/spmd/analysis/uniformity.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(SplitConditionsPass);

PreservedAnalyses SplitConditionsPass::run(Function &function, FunctionAnalysisManager &) {
    DominatorTree dominators(function);
    PostDominatorTree postdominators(function);
    LoopInfo loops(dominators);
    Uniformity uniformity(function, 1);
    struct Choice {
        BasicBlock *block;
        unsigned stay; // the successor that stays; the other leads out of the loop, or past what is
                       // guarded
    };
    SmallVector<Choice> pending;
    for (BasicBlock &block : function) {
        auto *branch = dyn_cast<BranchInst>(block.getTerminator());
        if (!branch || branch->isUnconditional() ||
            branch->getSuccessor(0) == branch->getSuccessor(1))
            continue;
        Loop *loop = loops.getLoopFor(&block);
        for (unsigned stay : {0u, 1u}) {
            BasicBlock *away = branch->getSuccessor(1 - stay);
            if (loop && loop->isLoopExiting(&block)
                    ? loop->contains(branch->getSuccessor(stay)) && !loop->contains(away)
                    : postdominators.dominates(away, &block) &&
                          !(loop && loop->getHeader() == away))
                pending.push_back({&block, stay});
        }
    }
    for (auto [block, stay] : pending) {
        auto *branch = cast<BranchInst>(block->getTerminator());
        const bool all = stay == 0;
        Value *first = nullptr;
        SmallVector<Value *> others;
        IRBuilder<> builder(branch);
        auto combined = [&](Value *a, Value *b) {
            return !a ? b : all ? builder.CreateLogicalAnd(a, b) : builder.CreateLogicalOr(a, b);
        };
        SmallVector<Value *> parts{branch->getCondition()};
        while (!parts.empty()) {
            Value *part = parts.pop_back_val();
            if (uniformity.uniform(*part))
                // It counts even where others before it decide.
                first = combined(first, others.empty() ? part : builder.CreateFreeze(part));
            else if (const auto both = implied_parts(part, all))
                parts.append({both->right, both->left});
            else
                others.push_back(part);
        }
        if (!first || others.empty())
            continue;
        Value *condition = branch->getCondition();
        BasicBlock *inside = branch->getSuccessor(stay);
        BasicBlock *outside = branch->getSuccessor(1 - stay);
        auto *rest =
            BasicBlock::Create(function.getContext(), block->getName() + ".and", &function, inside);
        branch->clone()->insertInto(rest, rest->end());
        builder.SetInsertPoint(rest->getTerminator());
        Value *second = nullptr;
        for (Value *part : others)
            second = combined(second, part);
        cast<BranchInst>(rest->getTerminator())->setCondition(second);
        branch->setCondition(first);
        branch->setSuccessor(stay, rest);
        inside->replacePhiUsesWith(block, rest);
        for (PHINode &phi : outside->phis())
            phi.addIncoming(phi.getIncomingValueForBlock(block), rest);
        if (auto *unused = dyn_cast<Instruction>(condition); unused && unused->use_empty())
            unused->eraseFromParent();
        if (Loop *loop = loops.getLoopFor(block))
            loop->addBasicBlockToLoop(rest, loops);
    }
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
