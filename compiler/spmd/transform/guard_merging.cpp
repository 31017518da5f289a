// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/transform/guard_merging.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/analysis/conditions.h"
#include "compiler/spmd/analysis/entry_rematerialisation.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

// A block up to this length runs always, so that its guard becomes one with the branch before it.
constexpr unsigned guard_merge_max_instructions = 16; // instructions

namespace {

BranchInst *conditional(BasicBlock &block) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    return branch && branch->isConditional() && is_recomputable(branch->getCondition()) ? branch
                                                                                        : nullptr;
}

// Nothing but the computation of its condition and of what comes later.
bool may_run_always(BasicBlock &block) {
    return block.sizeWithoutDebug() <= guard_merge_max_instructions &&
           all_of(block, [](Instruction &instruction) {
               return instruction.isTerminator() ||
                      (!isa<PHINode>(instruction) && !instruction.mayReadOrWriteMemory() &&
                       isSafeToSpeculativelyExecute(&instruction));
           });
}

bool arrive_alike(BasicBlock &target, BasicBlock &a, BasicBlock &b) {
    return all_of(target.phis(), [&](PHINode &phi) {
        return phi.getIncomingValueForBlock(&a) == phi.getIncomingValueForBlock(&b);
    });
}

Value *inverted(IRBuilder<> &builder, Value *condition) {
    if (auto *compare = dyn_cast<ICmpInst>(condition))
        return builder.CreateICmp(compare->getInversePredicate(), compare->getOperand(0),
                                  compare->getOperand(1));
    return builder.CreateNot(condition);
}

// The entry's branch, and that of the block it leads to else.
bool merge_first(Function &function) {
    BasicBlock &entry = function.getEntryBlock();
    BranchInst *first = conditional(entry);
    if (!first)
        return false;
    for (unsigned successor : {0u, 1u}) {
        BasicBlock *common = first->getSuccessor(successor);
        BasicBlock *next = first->getSuccessor(1 - successor);
        if (next == common || next->getSinglePredecessor() != &entry || !may_run_always(*next))
            continue;
        BranchInst *second = conditional(*next);
        if (!second || second->getSuccessor(0) == second->getSuccessor(1))
            continue;
        unsigned second_successor = second->getSuccessor(0) == common ? 0 : 1;
        if (second->getSuccessor(second_successor) != common ||
            !arrive_alike(*common, entry, *next))
            continue;
        BasicBlock *other = second->getSuccessor(1 - second_successor);
        for (Instruction &instruction : make_early_inc_range(*next))
            if (!instruction.isTerminator()) {
                instruction.dropUBImplyingAttrsAndMetadata();
                instruction.moveBefore(first->getIterator());
            }
        IRBuilder<> builder(first);
        auto leads = [&](BranchInst *branch, unsigned to) {
            return to == 0 ? branch->getCondition() : inverted(builder, branch->getCondition());
        };
        Value *condition =
            builder.CreateLogicalOr(leads(first, successor), leads(second, second_successor));
        builder.CreateCondBr(condition, common, other);
        other->replacePhiUsesWith(next, &entry);
        common->removePredecessor(next, /*KeepOneInputPHIs=*/true);
        first->eraseFromParent();
        next->eraseFromParent();
        return true;
    }
    return false;
}

// The parts of a disjunction (or conjunction), in order.
void find_parts(Value *condition, bool is_or, SmallVectorImpl<Value *> &parts) {
    if (const auto both = implied_parts(condition, !is_or)) {
        find_parts(both->left, is_or, parts);
        find_parts(both->right, is_or, parts);
    } else {
        parts.push_back(condition);
    }
}

// First what is the same for the whole row, if there are several such parts.
void order_parts(BranchInst &branch) {
    bool is_or = match(branch.getCondition(), m_LogicalOr(m_Value(), m_Value()));
    SmallVector<Value *> parts;
    find_parts(branch.getCondition(), is_or, parts);
    IRBuilder<> builder(&branch);
    auto combined = [&](Value *a, Value *b) {
        return !a ? b : is_or ? builder.CreateLogicalOr(a, b) : builder.CreateLogicalAnd(a, b);
    };
    auto is_alike = [](Value *part) { return is_recomputable(part, 1); };
    if (count_if(parts, is_alike) < 2 || all_of(parts, is_alike))
        return;
    Value *uniform = nullptr;
    Value *rest = nullptr;
    for (Value *part : parts) {
        // A part that counts only where one before it doesn't decide may be poison elsewhere.
        if (is_alike(part))
            uniform = combined(uniform, builder.CreateFreeze(part));
        else
            rest = combined(rest, part);
    }
    branch.setCondition(combined(uniform, rest));
}

} // namespace

void merge_guards(Function &function) {
    while (merge_first(function))
        ;
    if (auto *branch = dyn_cast<BranchInst>(function.getEntryBlock().getTerminator());
        branch && branch->isConditional())
        order_parts(*branch);
}

} // namespace rivulet::compiler
