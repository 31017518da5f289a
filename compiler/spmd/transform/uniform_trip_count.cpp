// SPDX-License-Identifier: Apache-2.0
//
// Makes loops from x - r to x + r, or from x * n to (x + 1) * n, count from 0. Their bounds differ
// between lanes, but the number of iterations doesn't, and with a uniform counter LLVM's uniformity
// analysis sees it: all lanes leave such a loop together, and its body needs no mask. Without this
// pass the loops of a filter run under masks.
//
// The distance from the first index to the limit is computed as an affine sum over the integers, of
// which x drops out. nsw proves that neither wraps where the comparison decides; where one does,
// the comparison was poison and the branch undefined. The counter has 64 bits, so it reaches the
// distance of any two 32-bit numbers. 32-bit devices would count in two registers; they are left
// out.
//
// Expects loops with preheaders and one latch each.
#include <optional>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/spmd/analysis/uniformity.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(UniformTripCountPass);

namespace {

// A comparison of a loop's index with a limit that is computed before the loop.
struct Limit {
    ICmpInst *compare;
    PHINode *index;
    bool is_next; // compares the index of the next iteration
    ConstantInt *step;
    AffineSum distance; // limit less first index, exact
};

std::optional<Limit> known_limit(Loop &loop, ICmpInst &compare, AffineExpressions &sums) {
    BasicBlock *before = loop.getLoopPreheader();
    BasicBlock *latch = loop.getLoopLatch();
    if (!before || !latch || compare.isUnsigned() ||
        !compare.getOperand(0)->getType()->isIntegerTy(32))
        return std::nullopt;
    for (PHINode &phi : loop.getHeader()->phis()) {
        Value *next = phi.getIncomingValueForBlock(latch);
        const auto sum = affine_step(*next, Meaning::as_signed);
        auto *step =
            sum && sum->is_sum() && sum->left == &phi ? dyn_cast<ConstantInt>(sum->right) : nullptr;
        if (!step)
            continue;
        for (unsigned side : {0u, 1u}) {
            Value *index = compare.getOperand(side);
            if (index != &phi && index != next)
                continue;
            auto distance = AffineSum::combine(
                sums.of(compare.getOperand(1 - side), Meaning::as_signed),
                sums.of(phi.getIncomingValueForBlock(before), Meaning::as_signed), -1);
            if (!distance)
                continue;
            if (side == 1)
                compare.swapOperands();
            return Limit{&compare, &phi, index == next, step, std::move(*distance)};
        }
    }
    return std::nullopt;
}

// Whether the distance is the same for all lanes and can be computed before the loop.
bool is_known(const AffineSum &distance, const AffineExpressions &sums,
              const Uniformity &uniformity, const DominatorTree &dominators,
              const Instruction &before) {
    return distance.terms.size() <= affine_max_terms &&
           all_of(distance.terms, [&](const auto &term) {
               return all_of(term.first, [&](unsigned number) {
                   Value *value = number ? sums.leaf(number).value : nullptr;
                   return !value ||
                          (uniformity.uniform(*value) && dominators.dominates(value, &before));
               });
           });
}

// Adds the counter and compares it with the distance. The distance fits into 64 bits even if
// partial sums wrap, so those have no flags.
void count(Loop &loop, const Limit &limit, const AffineExpressions &sums) {
    BasicBlock *before = loop.getLoopPreheader();
    IRBuilder<> builder(before->getTerminator());
    Type *wide = builder.getInt64Ty();
    Value *distance = ConstantInt::getSigned(wide, limit.distance.constant);
    for (const auto &[product, factor] : limit.distance.terms) {
        Value *term = ConstantInt::getSigned(wide, factor);
        for (unsigned number : product)
            if (number) {
                auto [value, meaning] = sums.leaf(number);
                term = builder.CreateMul(
                    term, builder.CreateIntCast(value, wide, meaning == Meaning::as_signed));
            }
        distance = builder.CreateAdd(distance, term);
    }
    builder.SetInsertPoint(&loop.getHeader()->front());
    PHINode *counter = builder.CreatePHI(wide, 2, "counter");
    builder.SetInsertPoint(loop.getHeader(), loop.getHeader()->getFirstInsertionPt());
    Value *next = builder.CreateAdd(
        counter, ConstantInt::getSigned(wide, limit.step->getSExtValue()), "", false, true);
    counter->addIncoming(builder.getInt64(0), before);
    counter->addIncoming(next, loop.getLoopLatch());
    builder.SetInsertPoint(limit.compare);
    Value *condition =
        builder.CreateICmp(limit.compare->getPredicate(), limit.is_next ? next : counter, distance);
    limit.compare->replaceAllUsesWith(condition);
    limit.compare->eraseFromParent();
}

} // namespace

PreservedAnalyses UniformTripCountPass::run(Function &function, FunctionAnalysisManager &) {
    if (function.getDataLayout().getPointerSizeInBits() < 64)
        return PreservedAnalyses::all();
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    AffineExpressions sums(function.getDataLayout());
    SmallVector<std::pair<Loop *, Limit>> limits;
    for (Loop *loop : loops.getLoopsInPreorder()) {
        SmallVector<BasicBlock *> exiting;
        loop->getExitingBlocks(exiting);
        for (BasicBlock *block : exiting) {
            auto *branch = dyn_cast<BranchInst>(block->getTerminator());
            auto *compare = branch && branch->isConditional()
                                ? dyn_cast<ICmpInst>(branch->getCondition())
                                : nullptr;
            if (compare && compare->hasOneUse())
                if (auto limit = known_limit(*loop, *compare, sums))
                    limits.emplace_back(loop, std::move(*limit));
        }
    }
    if (limits.empty())
        return PreservedAnalyses::none();
    Uniformity uniformity(function, 1);
    for (auto &[loop, limit] : limits)
        if (!uniformity.uniform(*limit.compare) &&
            is_known(limit.distance, sums, uniformity, dominators,
                     *loop->getLoopPreheader()->getTerminator()))
            count(*loop, limit, sums);
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
