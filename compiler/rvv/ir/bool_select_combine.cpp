// SPDX-License-Identifier: Apache-2.0
//
// Turns selects between a constant and an extended boolean into mask operations. LLVM turns
// `n += a || b` into a select between 1 and zext b, which is then added to n. On scalars that is
// cheap; on vectors it takes a vector of integers for zext b, one for the select, and a change of
// vtype. A sum can instead add 1 under the single mask a | b.
//
// Runs on vector IR after all InstCombine, which builds these selects. Without it the results are
// the same, by more instructions.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/analysis/operations.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(BoolSelectCombinePass);

namespace {

// The i1 vector that `number` extends to integers, in all lanes or up to a VL. Null for other
// values, and if the extension has more users: it would stay then.
Value *bool_operand(Value &number) {
    Value *truth = nullptr;
    if (match(&number, m_OneUse(m_ZExtOrSExt(m_Value(truth)))) ||
        match(&number, m_OneUse(m_Intrinsic<Intrinsic::vp_zext>(m_Value(truth)))) ||
        match(&number, m_OneUse(m_Intrinsic<Intrinsic::vp_sext>(m_Value(truth)))))
        return truth->getType()->getScalarType()->isIntegerTy(1) ? truth : nullptr;
    return nullptr;
}

// Builds the mask operation for a select between a constant and an extended i1. With t for the i1
// and c for the condition, where `true` is 1 for zext and -1 for sext:
//   c ? true : t  =  c | t        c ? t : true  =  !c | t
//   c ? false : t =  !c & t       c ? t : false =  c & t
// Returns null for other selects.
Value *joined(SelectInst &choice) {
    Value *condition = choice.getCondition();
    if (!isa<ScalableVectorType>(choice.getType()) || !condition->getType()->isVectorTy())
        return nullptr;
    for (const bool first : {true, false}) {
        Value *constant = first ? choice.getTrueValue() : choice.getFalseValue();
        Value *number = first ? choice.getFalseValue() : choice.getTrueValue();
        Value *truth = bool_operand(*number);
        if (!truth)
            continue;
        const bool is_signed =
            isa<SExtInst>(number) || match(number, m_Intrinsic<Intrinsic::vp_sext>());
        const bool is_true = is_signed ? match(constant, m_AllOnes()) : match(constant, m_One());
        if (!is_true && !match(constant, m_Zero()))
            continue;
        IRBuilder<> builder(&choice);
        if (first != is_true)
            condition = builder.CreateNot(condition);
        // The select ignores a poison t in lanes that take the constant; `or` and `and` would not.
        truth = builder.CreateFreeze(truth);
        truth = is_true ? builder.CreateOr(condition, truth) : builder.CreateAnd(condition, truth);
        // The addition becomes one under a mask; otherwise vtype stays as it is. The copy has no
        // lanes beyond the number's VL, and none is read: VL grows again only at the end of a
        // loop that the last lanes left first, and values that leave such a loop are merged by
        // vp.merge. (A mask would be another matter; the vectoriser makes these without.)
        if (auto *counted = dyn_cast<VPIntrinsic>(number);
            counted && match(counted->getMaskParam(), m_AllOnes()) &&
            none_of(choice.users(), is_sum)) {
            auto *copy = cast<Instruction>(builder.Insert(counted->clone()));
            copy->setOperand(0, truth);
            return copy;
        }
        return builder.CreateCast(is_signed ? Instruction::SExt : Instruction::ZExt, truth,
                                  choice.getType());
    }
    return nullptr;
}

} // namespace

PreservedAnalyses BoolSelectCombinePass::run(Function &function, FunctionAnalysisManager &) {
    SmallVector<WeakTrackingVH> replaced;
    for (Instruction &instruction : instructions(function))
        if (auto *choice = dyn_cast<SelectInst>(&instruction))
            if (Value *value = joined(*choice)) {
                choice->replaceAllUsesWith(value);
                replaced.emplace_back(choice);
            }
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
