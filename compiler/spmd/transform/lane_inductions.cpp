// SPDX-License-Identifier: Apache-2.0
//
// Splits inductions that start at a different number in each lane: for (j = first[x]; j < end[x];
// j++) … a[j] becomes for (k = 0; k < end - first; k++) … a[first + k], as rows of a sparse matrix
// are read. The counter k is a scalar, and the offset of an access an invariant vector plus a
// scalar. Without this pass the index is a vector that is incremented and extended in each
// iteration.
//
// j == end and k == end - first are the same modulo 2^n. j < end needs more: j must not pass the
// end of its range before the loop ends, or k would count on where j starts from the least number
// again (stays_below), and a loop that starts behind its end has length 0, hence max(end, first) -
// first.
//
// Needs LaneAnalysis without an obstacle. Runs after type legalisation, which may split the index.
#include "compiler/spmd/transform/lane_inductions.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/spmd/analysis/lane_analyses.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(LaneInductionsPass);

namespace {

class LaneInduction {
public:
    static std::optional<LaneInduction> of(PHINode &index, const Loop &loop,
                                           const StrideAnalysis &strides) {
        BasicBlock *latch = loop.getLoopLatch();
        if (!latch || !loop.getLoopPreheader() || !index.getType()->isIntegerTy() ||
            strides.of(&index).kind != Stride::varying)
            return std::nullopt;
        Value *next = index.getIncomingValueForBlock(latch);
        const auto sum = affine_step(*next, Meaning::ring);
        if (!sum || !sum->is_sum() || sum->left != &index || !isa<ConstantInt>(sum->right))
            return std::nullopt;
        return LaneInduction(index, *cast<BinaryOperator>(next), loop);
    }

    // The counter pays if nothing needs the index itself any more: all uses are addresses, and
    // comparisons that can be made of the count.
    bool pays() {
        SmallVector<GetElementPtrInst *> found = addresses();
        return !found.empty() && all_of(next_.users(), [&](User *user) {
            return user == &index_ || is_of_count(*user, next_);
        }) && all_of(index_.users(), [&](User *user) {
            return user == &next_ || is_of_count(*user, index_) || is_contained(found, user) ||
                   (isa<SExtInst, ZExtInst>(user) && all_of(user->users(), [&](User *address) {
                        return is_contained(found, address);
                    }));
        });
    }

    void split(const DominatorTree &dominators) {
        for (GetElementPtrInst *address : addresses())
            if (any_of(address->users(), [&](User *access) {
                    BasicBlock *block = cast<Instruction>(access)->getParent();
                    return getLoadStorePointerOperand(access) == address && loop_.contains(block) &&
                           dominators.dominates(block, loop_.getLoopLatch());
                }))
                address->setMetadata(in_each_iteration, MDNode::get(address->getContext(), {}));
        BasicBlock *before = loop_.getLoopPreheader();
        Type *type = index_.getType();
        start_ = index_.getIncomingValueForBlock(before);
        IRBuilder<> builder(&index_);
        PHINode *count = builder.CreatePHI(type, 2);
        count->addIncoming(ConstantInt::get(type, 0), before);
        builder.SetInsertPoint(&next_);
        auto *next = cast<Instruction>(builder.CreateAdd(count, next_.getOperand(1)));
        count->addIncoming(next, loop_.getLoopLatch());
        compare(index_, *count);
        compare(next_, *next);
        builder.SetInsertPoint(index_.getParent(), index_.getParent()->getFirstInsertionPt());
        next_.dropPoisonGeneratingFlags();
        index_.replaceAllUsesWith(builder.CreateAdd(start_, count));
        index_.eraseFromParent();
        if (next_.use_empty())
            next_.eraseFromParent();
    }

private:
    SmallVector<GetElementPtrInst *> addresses() const {
        SmallVector<GetElementPtrInst *> found;
        auto add = [&](User *user) {
            if (auto *address = dyn_cast<GetElementPtrInst>(user);
                address && loop_.contains(address))
                found.push_back(address);
        };
        for (User *user : index_.users()) {
            add(user);
            if (isa<SExtInst, ZExtInst>(user))
                for_each(user->users(), add);
        }
        return found;
    }

    LaneInduction(PHINode &index, BinaryOperator &next, const Loop &loop)
        : index_(index), next_(next), loop_(loop) {}

    // Whether the index reaches the limit of the comparison before it wraps. Either the addition's
    // flags say so: then an index that has wrapped is poison, and so is the comparison. Or it
    // counts by 1 and the comparison is the header's exit, which no number can skip.
    bool stays_below(const ICmpInst &compare) const {
        if (compare.isSigned() ? next_.hasNoSignedWrap() : next_.hasNoUnsignedWrap())
            return !cast<ConstantInt>(next_.getOperand(1))->isNegative();
        auto *branch = dyn_cast<BranchInst>(loop_.getHeader()->getTerminator());
        // A comparison of the next index may see 0 after the largest number, in a do loop already
        // in the first iteration.
        return compare.getOperand(0) == &index_ &&
               cast<ConstantInt>(next_.getOperand(1))->isOne() && branch &&
               branch->isConditional() && branch->getCondition() == &compare &&
               !loop_.contains(
                   branch->getSuccessor(CmpInst::isTrueWhenEqual(compare.getPredicate()) ? 0 : 1));
    }

    // A comparison with a loop invariant that can compare the count instead.
    bool is_of_count(User &user, const Instruction &index) const {
        auto *compare = dyn_cast<ICmpInst>(&user);
        if (!compare || !loop_.contains(compare))
            return false;
        if (compare->getOperand(0) != &index)
            compare->swapOperands();
        const auto predicate = compare->getUnsignedPredicate();
        return loop_.isLoopInvariant(compare->getOperand(1)) &&
               (compare->isEquality() ||
                ((predicate == CmpInst::ICMP_ULT || predicate == CmpInst::ICMP_UGE) &&
                 stays_below(*compare)));
    }

    void compare(Instruction &index, Instruction &count) {
        for (User *user : make_early_inc_range(index.users())) {
            auto *compare = dyn_cast<ICmpInst>(user);
            if (!compare)
                continue;
            Value *limit = compare->getOperand(1);
            IRBuilder<> builder(loop_.getLoopPreheader()->getTerminator());
            if (!compare->isEquality())
                limit = builder.CreateBinaryIntrinsic(
                    compare->isSigned() ? Intrinsic::smax : Intrinsic::umax, limit, start_);
            limit = builder.CreateSub(limit, start_);
            const auto predicate = compare->getUnsignedPredicate();
            auto *of_count = new ICmpInst(compare->getIterator(),
                                          CmpInst::getSwappedPredicate(predicate), limit, &count);
            if (!compare->isEquality() && loop_.getExitingBlock() == loop_.getHeader())
                of_count->setMetadata(only_way_out, MDNode::get(compare->getContext(), {}));
            compare->replaceAllUsesWith(of_count);
            compare->eraseFromParent();
        }
    }

    PHINode &index_;
    BinaryOperator &next_;
    const Loop &loop_;
    Value *start_ = nullptr;
};

} // namespace

PreservedAnalyses LaneInductionsPass::run(Function &work_item, FunctionAnalysisManager &analyses) {
    const LaneAnalysis::Result &lanes = get<LaneAnalysis>(work_item, analyses);
    if (lanes.obstacle)
        return PreservedAnalyses::all();
    bool any = false;
    for (Loop *loop : lanes.loops->getLoopsInPreorder())
        for (PHINode &phi : make_early_inc_range(loop->getHeader()->phis()))
            if (auto count = LaneInduction::of(phi, *loop, *lanes.strides);
                count && count->pays()) {
                count->split(*lanes.dominators);
                any = true;
            }
    return preserved_unless(any);
}

} // namespace rivulet::compiler
