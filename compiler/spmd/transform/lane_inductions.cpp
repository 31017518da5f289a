// SPDX-License-Identifier: Apache-2.0
//
// Splits loops that count from a start of each lane's own: for (j = first[x]; j < end[x]; j++) a[j]
// … becomes for (k = 0; k < length; k++) a[first + k]. The counter is a scalar then, and the offset
// of an access an invariant vector plus a scalar, one addition. Without this pass the index is a
// vector that is incremented and extended in each iteration.
//
// Needs LaneAnalysis without an obstacle. Runs after type legalisation, which may split the index.
#include "compiler/spmd/transform/lane_inductions.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

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
        auto *next = dyn_cast<BinaryOperator>(index.getIncomingValueForBlock(latch));
        if (!next || next->getOpcode() != Instruction::Add || next->getOperand(0) != &index ||
            !isa<ConstantInt>(next->getOperand(1)))
            return std::nullopt;
        return LaneInduction(index, *next, loop);
    }

    // The counter pays if no lane needs its own number any more.
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

    // The index never leaves the range of its type: no number is passed over before the loop ends.
    bool stays_below(const ICmpInst &compare) const {
        if (compare.isSigned() ? next_.hasNoSignedWrap() : next_.hasNoUnsignedWrap())
            return !cast<ConstantInt>(next_.getOperand(1))->isNegative();
        auto *branch = dyn_cast<BranchInst>(loop_.getHeader()->getTerminator());
        // The number after it may be the first one again, in a do loop already after one iteration.
        return compare.getOperand(0) == &index_ &&
               cast<ConstantInt>(next_.getOperand(1))->isOne() && branch &&
               branch->isConditional() && branch->getCondition() == &compare &&
               !loop_.contains(
                   branch->getSuccessor(CmpInst::isTrueWhenEqual(compare.getPredicate()) ? 0 : 1));
    }

    // A comparison with what is known before the loop, which the count is compared in as well.
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
