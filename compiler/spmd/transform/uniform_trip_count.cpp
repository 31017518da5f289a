// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/transform/uniform_trip_count.h"

#include <map>
#include <optional>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/spmd/analysis/uniformity.h"
#include "compiler/tuning/spmd_transform.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

// Σ factor · value · value, as whole numbers; null stands for 1.
using Product = std::pair<Value *, Value *>;
using Sum = std::map<Product, int64_t>;

void add(Sum &sum, const Sum &other, int64_t factor) {
    for (auto [product, times] : other)
        if ((sum[product] += factor * times) == 0)
            sum.erase(product);
}

// Parses the terms of a signed 32-bit number that doesn't wrap.
Sum parse(Value *value, unsigned depth = 0) {
    if (auto *constant = dyn_cast<ConstantInt>(value)) {
        Sum sum;
        add(sum, {{{nullptr, nullptr}, 1}}, constant->getSExtValue());
        return sum;
    }
    Sum leaf{{{value, nullptr}, 1}};
    auto *operation = dyn_cast<BinaryOperator>(value);
    auto *wrapping = dyn_cast<OverflowingBinaryOperator>(value);
    auto *either = dyn_cast<PossiblyDisjointInst>(value);
    if (!operation || depth == tuning::trip_count_max_depth ||
        !(wrapping ? wrapping->hasNoSignedWrap() : either && either->isDisjoint()))
        return leaf;
    Sum left = parse(operation->getOperand(0), depth + 1);
    const Sum right = parse(operation->getOperand(1), depth + 1);
    switch (operation->getOpcode()) {
    case Instruction::Add:
    case Instruction::Or:
        add(left, right, 1);
        return left;
    case Instruction::Sub:
        add(left, right, -1);
        return left;
    case Instruction::Mul: {
        Sum total;
        for (auto [a, times] : left)
            for (auto [b, by] : right) {
                if ((a.second && b.first) || (a.first && b.second) ||
                    std::abs(times) > tuning::trip_count_max_factor ||
                    std::abs(by) > tuning::trip_count_max_factor)
                    return leaf;
                Product product = !b.first   ? a
                                  : !a.first ? b
                                             : Product(std::minmax(a.first, b.first));
                add(total, {{product, 1}}, times * by);
            }
        return total;
    }
    default:
        return leaf;
    }
}

// A comparison of a loop's index with a limit that is computed before the loop.
struct Limit {
    ICmpInst *compare;
    PHINode *index;
    bool is_next; // of the index in the next iteration
    ConstantInt *step;
    Sum distance; // from the first index
};

std::optional<Limit> limit_of(Loop &loop, ICmpInst &compare) {
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
            Sum distance = parse(compare.getOperand(1 - side));
            add(distance, parse(phi.getIncomingValueForBlock(before)), -1);
            if (side == 1)
                compare.swapOperands();
            return Limit{&compare, &phi, index == next, step, std::move(distance)};
        }
    }
    return std::nullopt;
}

bool is_known(const Sum &distance, const Uniformity &uniformity, const DominatorTree &dominators,
              const Instruction &before) {
    return distance.size() <= tuning::trip_count_max_terms &&
           all_of(distance, [&](const auto &term) {
               auto [product, times] = term;
               return std::abs(times) <=
                          tuning::trip_count_max_factor * tuning::trip_count_max_factor &&
                      all_of(ArrayRef<Value *>{product.first, product.second}, [&](Value *value) {
                          return !value || (uniformity.uniform(*value) &&
                                            dominators.dominates(value, &before));
                      });
           });
}

void count(Loop &loop, const Limit &limit) {
    BasicBlock *before = loop.getLoopPreheader();
    IRBuilder<> builder(before->getTerminator());
    Type *wide = builder.getInt64Ty();
    Value *distance = builder.getInt64(0);
    for (auto [product, times] : limit.distance) {
        Value *term = ConstantInt::getSigned(wide, times);
        for (Value *value : {product.first, product.second})
            if (value)
                term = builder.CreateMul(term, builder.CreateSExt(value, wide));
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

void canonicalise_trip_counts(Function &function) {
    if (function.getDataLayout().getPointerSizeInBits() < 64)
        return;
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
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
                if (auto limit = limit_of(*loop, *compare))
                    limits.emplace_back(loop, std::move(*limit));
        }
    }
    if (limits.empty())
        return;
    Uniformity uniformity(function, 1);
    for (auto &[loop, limit] : limits)
        if (!uniformity.uniform(*limit.compare) &&
            is_known(limit.distance, uniformity, dominators,
                     *loop->getLoopPreheader()->getTerminator()))
            count(*loop, limit);
}

} // namespace rivulet::compiler
