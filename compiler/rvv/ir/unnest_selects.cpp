// SPDX-License-Identifier: Apache-2.0
//
// Makes two merges of a choice between two values in some lanes:
//
//   a ? (b ? x : y) : z    →    (a and b) ? x : (a ? y : z)
//
// The left form needs x and y in a vector of its own before it is merged with z. If y is the same
// in all lanes, each merge of the right form takes its value as it is, a scalar included. So lanes
// are handled that leave a loop: in each iteration a counter is merged into the results of the
// lanes that are left, and InstCombine makes the left form of two iterations.
//
// The mask of the lanes with a and b must be there already, as that of lanes that stay in a loop
// is; otherwise the right form takes as many instructions. Machine code computes it only once.
// Where a is false, b may be poison, and the mask must be false. So the mask is `select a, b,
// false` unless b is known not to be poison. a is frozen, because it has two uses now, and undef
// could be true in one and false in the other.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(UnnestSelectsPass);

PreservedAnalyses UnnestSelectsPass::run(Function &function, FunctionAnalysisManager &) {
    SmallVector<SelectInst *> replaced;
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        auto *outer = dyn_cast<SelectInst>(&instruction);
        auto *inner = outer ? dyn_cast<SelectInst>(outer->getTrueValue()) : nullptr;
        if (!inner || !inner->hasOneUse() || !isa<ScalableVectorType>(outer->getType()) ||
            outer->getType()->isIntOrIntVectorTy(1) || !getSplatValue(inner->getFalseValue()))
            continue;
        Value *a = outer->getCondition();
        Value *b = inner->getCondition();
        const bool has_mask = any_of(a->users(), [&](User *user) {
            return match(user, m_c_And(m_Specific(a), m_Specific(b)));
        });
        if (!has_mask || !a->getType()->isVectorTy())
            continue;
        IRBuilder<> builder(outer);
        if (!isGuaranteedNotToBeUndefOrPoison(a))
            a = builder.CreateFreeze(a);
        Value *mask =
            isGuaranteedNotToBePoison(b) ? builder.CreateAnd(a, b) : builder.CreateLogicalAnd(a, b);
        Value *first = builder.CreateSelect(a, inner->getFalseValue(), outer->getFalseValue());
        Value *second = builder.CreateSelect(mask, inner->getTrueValue(), first);
        outer->replaceAllUsesWith(second);
        second->takeName(outer);
        outer->eraseFromParent();
        replaced.push_back(inner);
    }
    for (SelectInst *inner : replaced)
        inner->eraseFromParent();
    return preserved_unless(!replaced.empty());
}

} // namespace rivulet::compiler
