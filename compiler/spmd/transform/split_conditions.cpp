// SPDX-License-Identifier: Apache-2.0
//
// Splits a branch on u && v, of which u is uniform, into a branch on u, which all lanes take
// together, and one on v. SimplifyCFG and InstCombine merge such conditions. Without this pass `if
// (u && v)` runs the guarded code under a mask even if no lane needs it, and `while (u && v)` has
// no exit that is a scalar branch.
//
// u may be evaluated first though v comes first in the source: it is computed before the branch
// anyway. It is frozen then, since it could be poison where v alone decides. u || v is split in the
// mirrored case: where the guarded code, or the rest of the loop, runs if it doesn't hold.
//
// Expects two-way branches and loops in simplified form. Leaves more than one exit per loop, so
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
        unsigned stay; // the successor in the loop, or the guarded code; the other one leads out of
                       // the loop, or past the guarded code
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
                // In the source, a part before it may decide without it.
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
