// SPDX-License-Identifier: Apache-2.0
//
// Makes loops from x - r to x + r, or from x * n to (x + 1) * n, count from 0: their bounds differ
// between lanes, but the number of iterations doesn't. All lanes leave such a loop together then,
// and its body needs no mask; without this pass a filter's loops run under masks.
//
// Expects loops with preheaders and one latch each. Only where pointers have 64 bits: sums of
// 32-bit numbers are taken for whole numbers in 64 bits.
#include <optional>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/spmd/analysis/uniformity.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(UniformTripCountPass);

namespace {

// A comparison of a loop's index with a limit that is computed before the loop.
struct Limit {
    ICmpInst *compare;
    PHINode *index;
    bool is_next; // of the index in the next iteration
    ConstantInt *step;
    AffineSum distance; // from the first index; exact
};

std::optional<Limit> limit_of(Loop &loop, ICmpInst &compare, AffineExpressions &sums) {
    BasicBlock *before = loop.getLoopPreheader();
    BasicBlock *latch = loop.getLoopLatch();
    if (!before || !latch || compare.isUnsigned() ||
        !compare.getOperand(0)->getType()->isIntegerTy(32))
        return std::nullopt;
    for (PHINode &phi : loop.getHeader()->phis()) {
        Value *next = phi.getIncomingValueForBlock(latch);
        ConstantInt *step = nullptr;
        if (!match(next, m_NSWAdd(m_Specific(&phi), m_ConstantInt(step))))
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

// The distance between two 32-bit numbers fits in 64 bits, even if partial sums wrap.
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
        return PreservedAnalyses::none();
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
                if (auto limit = limit_of(*loop, *compare, sums))
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
