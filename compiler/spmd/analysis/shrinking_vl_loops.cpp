// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/analysis/shrinking_vl_loops.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/analysis/integer_ranges.h"
#include "compiler/spmd/analysis/global_ids.h"
#include "compiler/spmd/analysis/sub_group_calls.h"
#include "compiler/work_items/parameters.h"
#include "compiler/work_items/small_buffers.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// Whether the value is one more in each lane than in the lane before: x, or the lane's number in a
// sub-group, whose lanes are those of a strip.
bool counts_lanes(const Value &value) {
    if (const auto *argument = dyn_cast<llvm::Argument>(&value))
        return argument->getArgNo() == parameter::id;
    const auto call = sub_group_call(value);
    return call && call->function == SubGroupCall::local_id;
}

// Whether the value is such a number plus uniform values, without a wrap.
bool starts_at_lane(Value *value, bool is_signed, const Uniformity &uniformity,
                    const DataLayout &layout) {
    auto is_uniform = [&](Value *part) {
        return !isa<Constant>(part) && uniformity.uniform(*part);
    };
    AffineExpressions sums(layout, {.leaves = 1, .is_leaf = is_uniform});
    const AffineSum &sum = sums.of(value, as_number(is_signed));
    unsigned ids = 0;
    return all_of(sum.terms,
                  [&](const auto &term) {
                      Value *leaf = sums.leaf(term.first.back()).value;
                      if (!counts_lanes(*leaf))
                          return uniformity.uniform(*leaf);
                      ++ids;
                      return term.second == 1;
                  }) &&
           ids == 1;
}

// Whether every lane that stays in the loop accesses memory at an address made of the index. If the
// index wrapped, this address would be more than 2 GiB away from the one before, and no small
// buffer is that large; with an index of 64 bits, no buffer at all. (All work-items together are at
// most 2^31.)
bool is_an_address(PHINode &index, Loop &loop, const DominatorTree &dominators) {
    SmallVector<Value *, 4> pending{&index};
    while (!pending.empty())
        for (User *user : pending.pop_back_val()->users()) {
            auto *at = cast<Instruction>(user);
            auto *address = dyn_cast<GetElementPtrInst>(at);
            if (isa<ZExtInst, SExtInst>(at)) {
                pending.push_back(at);
            } else if (address && address->getNumIndices() == 1 &&
                       !address->getSourceElementType()->isEmptyTy() &&
                       (index.getType()->isIntegerTy(64) ||
                        is_in_small_buffer(*address, *address->getFunction()))) {
                for (User *access : address->users()) {
                    auto *block = cast<Instruction>(access)->getParent();
                    if (getLoadStorePointerOperand(access) == address &&
                        block != loop.getHeader() && loop.contains(block) &&
                        dominators.dominates(block, loop.getLoopLatch()))
                        return true;
                }
            }
        }
    return false;
}

} // namespace

std::optional<ShrinkingVlLoop> find_shrinking_vl_loop(Loop &loop, const Uniformity &uniformity) {
    BasicBlock *header = loop.getHeader();
    BasicBlock *before = loop.getLoopPredecessor();
    auto *branch = dyn_cast<BranchInst>(header->getTerminator());
    if (!before || !branch || branch->isUnconditional())
        return std::nullopt;
    auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
    if (!compare)
        return std::nullopt;
    bool first_stays = loop.contains(branch->getSuccessor(0));
    for (unsigned side : {0u, 1u}) {
        Value *index = compare->getOperand(side);
        Value *limit = compare->getOperand(1 - side);
        auto stays = side ? compare->getSwappedPredicate() : compare->getPredicate();
        if (!first_stays)
            stays = CmpInst::getInversePredicate(stays);
        bool is_signed = CmpInst::isSigned(stays);
        auto *phi = dyn_cast<PHINode>(index);
        if (!phi || phi->getParent() != header || !uniformity.uniform(*limit) ||
            phi->getType()->getIntegerBitWidth() < 32 ||
            !(stays == CmpInst::ICMP_ULT || stays == CmpInst::ICMP_ULE ||
              stays == CmpInst::ICMP_SLT || stays == CmpInst::ICMP_SLE))
            continue;
        Value *next = phi->getIncomingValueForBlock(loop.getLoopLatch());
        const auto sum = affine_step(*next, Meaning::ring);
        if (!sum || !sum->is_sum() || (sum->left != phi && sum->right != phi))
            continue;
        Value *step = sum->left == phi ? sum->right : sum->left;
        if (!uniformity.uniform(*step) ||
            !starts_at_lane(phi->getIncomingValueForBlock(before), is_signed, uniformity,
                            header->getDataLayout()))
            continue;
        const bool forward =
            ValueRanges(header->getDataLayout(), range_of_parameter).of(*step).isAllNonNegative();
        if ((forward && affine_step(*next, as_number(is_signed))) ||
            ((forward || times_local_size(*step, parameter::num_groups)) &&
             is_an_address(*phi, loop, DominatorTree(*header->getParent()))))
            return ShrinkingVlLoop{stays, index, limit};
    }
    return std::nullopt;
}

} // namespace rivulet::compiler
