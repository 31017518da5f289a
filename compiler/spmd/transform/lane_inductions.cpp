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
// An index that is such a sum already, a[first + k] where all lanes have the same k, is marked in
// the same way if the loop counts k from 0: its invariant part stays as it is, and k moves the
// base.
//
// Needs LaneAnalysis without an obstacle. Runs after type legalisation, which may split the index.
#include "compiler/spmd/transform/lane_inductions.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/spmd/analysis/lane_analyses.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

// A counter's step, so that the addresses of neighbouring iterations are far less apart than a
// small buffer is large. Nothing measured: steps are 1 or a few.
constexpr unsigned counter_max_step_bits = 16; // bits, with the sign

RVL_FUNCTION_PASS(LaneInductionsPass);

namespace {

// How far an invariant index is looked through for what it is made of.
constexpr unsigned invariant_max_depth = 4; // operations

// Whether the value is the same in all iterations. Loop-invariant code is moved later.
bool is_invariant(const Value &value, const Loop &loop, unsigned depth = invariant_max_depth) {
    if (loop.isLoopInvariant(&value))
        return true;
    auto *operation = dyn_cast<Instruction>(&value);
    return depth > 0 && operation && isa<BinaryOperator, CastInst>(operation) &&
           all_of(operation->operands(),
                  [&](const Value *operand) { return is_invariant(*operand, loop, depth - 1); });
}

// Whether lanes that stay in the loop access the address in each iteration.
bool is_accessed_each_time(const GetElementPtrInst &address, const Loop &loop,
                           const DominatorTree &dominators) {
    return any_of(address.users(), [&](const User *access) {
        const BasicBlock *block = cast<Instruction>(access)->getParent();
        return getLoadStorePointerOperand(access) == &address && loop.contains(block) &&
               dominators.dominates(block, loop.getLoopLatch());
    });
}

void mark_in_each_iteration(GetElementPtrInst &address) {
    address.setMetadata(in_each_iteration, MDNode::get(address.getContext(), {}));
}

// Passes the addresses in the loop whose index is the value or its extension.
void for_each_address(Value &index, const Loop &loop,
                      function_ref<void(GetElementPtrInst &)> pass) {
    auto consider = [&](User *user) {
        if (auto *address = dyn_cast<GetElementPtrInst>(user); address && loop.contains(address))
            pass(*address);
    };
    for (User *user : index.users()) {
        consider(user);
        if (isa<SExtInst, ZExtInst>(user))
            for_each(user->users(), consider);
    }
}

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
            if (is_accessed_each_time(*address, loop_, dominators))
                mark_in_each_iteration(*address);
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
        for_each_address(index_, loop_,
                         [&](GetElementPtrInst &address) { found.push_back(&address); });
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

// Whether the loop counts the phi node from 0 by a constant, for all lanes alike.
bool is_counter(const PHINode &phi, const Loop &loop, const StrideAnalysis &strides) {
    if (!loop.getLoopLatch() || !loop.getLoopPreheader() || !phi.getType()->isIntegerTy() ||
        !strides.uniform(&phi) ||
        !match(phi.getIncomingValueForBlock(loop.getLoopPreheader()), m_Zero()))
        return false;
    const auto sum = affine_step(*phi.getIncomingValueForBlock(loop.getLoopLatch()), Meaning::ring);
    const auto *step = sum && sum->is_sum() ? dyn_cast<ConstantInt>(sum->right) : nullptr;
    return step && sum->left == &phi && step->getValue().isSignedIntN(counter_max_step_bits);
}

// A scalar unit adds the counter to the base; without the mark, the vector unit adds it to the
// indices of all lanes. Elements that gathers take by intrinsics only: code generation has
// addresses of all lanes for others.
bool moves_base(const GetElementPtrInst &address, const StrideAnalysis &strides) {
    return address.getNumIndices() == 1 && strides.of(&address).kind == Stride::varying &&
           none_of(address.users(), [](const User *access) {
               Type *element =
                   getLoadStorePointerOperand(access) ? getLoadStoreType(access) : nullptr;
               return element && (element->isPointerTy() || element->isHalfTy());
           });
}

void mark_sums(PHINode &counter, const Loop &loop, const LaneAnalysis::Result &lanes) {
    for (User *user : counter.users()) {
        const auto sum = affine_step(*user, Meaning::ring);
        if (!sum || !sum->is_sum() || (sum->left == &counter) == (sum->right == &counter) ||
            !is_invariant(*(sum->left == &counter ? sum->right : sum->left), loop))
            continue;
        for_each_address(*user, loop, [&](GetElementPtrInst &address) {
            if (moves_base(address, *lanes.strides) &&
                is_accessed_each_time(address, loop, *lanes.dominators))
                mark_in_each_iteration(address);
        });
    }
}

} // namespace

PreservedAnalyses LaneInductionsPass::run(Function &work_item, FunctionAnalysisManager &analyses) {
    const LaneAnalysis::Result &lanes = get<LaneAnalysis>(work_item, analyses);
    if (lanes.obstacle)
        return PreservedAnalyses::all();
    bool any = false;
    for (Loop *loop : lanes.loops->getLoopsInPreorder())
        for (PHINode &phi : loop->getHeader()->phis())
            if (is_counter(phi, *loop, *lanes.strides))
                mark_sums(phi, *loop, lanes);
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
