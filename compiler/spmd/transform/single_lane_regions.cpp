// SPDX-License-Identifier: Apache-2.0
//
// Replaces x in code that only one work-item of a row executes, as in `if (x == 0) …`, by the
// number that x is compared with. The code doesn't depend on the lane any more, so it becomes
// scalar instructions behind one scalar comparison. Without this pass it is masked vector
// instructions that every strip runs through.
//
// A region is everything that the branch's target dominates, if the target has no other
// predecessor. Values that depend on x and come from outside are computed again at its entry, from
// the known x; values that it computes itself change through their operands.
//
// EarlyCSE and SimplifyCFG run next if there was such a region, and then this pass again: with x
// known, conditions inside the region become constants or regions of their own.
#include <llvm/IR/Dominators.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/analysis/conditions.h"
#include "compiler/spmd/analysis/entry_rematerialisation.h"
#include "compiler/spmd/transform/guard_to_loop_bound.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(SingleLaneRegionsPass);

namespace {

// x == limit, if that follows from the condition being true (or being false).
std::optional<RowBound> point_of(Value *condition, bool holds) {
    if (const auto parts = implied_parts(condition, holds)) {
        auto point = point_of(parts->left, holds);
        return point ? point : point_of(parts->right, holds);
    }
    auto *compare = dyn_cast<ICmpInst>(condition);
    if (!compare || compare->getPredicate() != (holds ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE))
        return std::nullopt;
    auto bound = bound_of(*compare, false);
    return bound ? bound : bound_of(*compare, true);
}

bool depends_on(Value *value, const llvm::Argument &x) {
    if (value == &x)
        return true;
    auto *instruction = dyn_cast<Instruction>(value);
    return instruction &&
           any_of(instruction->operands(), [&](Value *operand) { return depends_on(operand, x); });
}

// Replaces x, and values computed from it outside, in the block and all that it dominates, which
// run for this x only. A phi's operand belongs to the block that it comes from.
bool fix_x(BasicBlock &block, const RowBound &point, const DominatorTree &dominators) {
    llvm::Argument *x = block.getParent()->getArg(0);
    IRBuilder<> builder(&*block.getFirstInsertionPt());
    DenseMap<Value *, Value *> known;
    SmallVector<BasicBlock *> inside;
    dominators.getDescendants(&block, inside);
    for (BasicBlock *each : inside)
        for (Instruction &instruction : *each)
            for (Use &use : instruction.operands()) {
                auto *from = dyn_cast<Instruction>(use.get());
                auto *phi = dyn_cast<PHINode>(&instruction);
                if ((from && dominators.dominates(&block, from->getParent())) ||
                    (phi && !dominators.dominates(&block, phi->getIncomingBlock(use))) ||
                    !is_recomputable(use.get()) || !depends_on(use.get(), *x))
                    continue;
                if (known.empty()) {
                    Value *limit = limit_of(builder, point, known);
                    known[x] = builder.CreateTrunc(limit, x->getType());
                }
                use.set(recompute(builder, use.get(), known));
            }
    return !known.empty();
}

} // namespace

PreservedAnalyses SingleLaneRegionsPass::run(Function &function, FunctionAnalysisManager &) {
    DominatorTree dominators(function);
    bool found = false;
    for (BasicBlock &block : function) {
        auto *branch = dyn_cast<BranchInst>(block.getTerminator());
        if (!branch || branch->isUnconditional())
            continue;
        for (unsigned successor : {0u, 1u}) {
            BasicBlock *next = branch->getSuccessor(successor);
            if (!next->getSinglePredecessor() || !dominators.isReachableFromEntry(&block))
                continue;
            if (auto point = point_of(branch->getCondition(), successor == 0))
                found |= fix_x(*next, *point, dominators);
        }
    }
    return preserved_unless(found);
}

} // namespace rivulet::compiler
