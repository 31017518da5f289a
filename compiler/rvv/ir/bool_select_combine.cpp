// SPDX-License-Identifier: Apache-2.0
//
// Turns selects between extended booleans, or one of them and a constant, into mask operations.
// LLVM turns `n += a || b` into a select between 1 and zext b, which is then added to n, and `n +=
// a ? b : c` into one between zext b and zext c. On scalars that is cheap; on vectors it takes a
// vector of integers for each extension, one for the select, and a change of vtype. A sum can
// instead add 1 under a single mask: a | b, or a ? b : c.
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

bool is_sign_extension(const Value &number) {
    return isa<SExtInst>(number) || match(&number, m_Intrinsic<Intrinsic::vp_sext>());
}

// The number that a mask extends to in place of a select between numbers, one of which is given.
//
// A sum becomes one under a mask; for others vtype stays as it is if the extension ends where the
// number's did. That one has no lanes beyond the number's VL, and none is read: VL grows again only
// at the end of a loop that the last lanes left first, and values that leave such a loop are merged
// by vp.merge. (A mask would be another matter; the vectoriser makes these without.)
Value *extended(IRBuilder<> &builder, Value *truth, const Value &number, const SelectInst &choice) {
    if (auto *counted = dyn_cast<VPIntrinsic>(&number);
        counted && match(counted->getMaskParam(), m_AllOnes()) && none_of(choice.users(), is_sum)) {
        auto *copy = cast<Instruction>(builder.Insert(counted->clone()));
        copy->setOperand(0, truth);
        return copy;
    }
    return builder.CreateCast(is_sign_extension(number) ? Instruction::SExt : Instruction::ZExt,
                              truth, choice.getType());
}

// Builds the choice between two extended i1 as one between masks. Null for other selects.
Value *chosen(SelectInst &choice) {
    Value &first = *choice.getTrueValue();
    Value &second = *choice.getFalseValue();
    Value *if_true = bool_operand(first);
    Value *if_false = if_true ? bool_operand(second) : nullptr;
    if (!if_false || is_sign_extension(first) != is_sign_extension(second))
        return nullptr;
    IRBuilder<> builder(&choice);
    Value *truth = builder.CreateSelect(choice.getCondition(), if_true, if_false);
    return extended(builder, truth, isa<VPIntrinsic>(first) ? first : second, choice);
}

// Builds the mask operation for a select between a constant and an extended i1. With t for the i1
// and c for the condition, where `true` is 1 for zext and -1 for sext:
//   c ? true : t  =  c | t        c ? t : true  =  !c | t
//   c ? false : t =  !c & t       c ? t : false =  c & t
// A choice between two of them is chosen()'s. Returns null for other selects.
Value *joined(SelectInst &choice) {
    Value *condition = choice.getCondition();
    if (!isa<ScalableVectorType>(choice.getType()) || !condition->getType()->isVectorTy())
        return nullptr;
    if (Value *number = chosen(choice))
        return number;
    for (const bool first : {true, false}) {
        Value *constant = first ? choice.getTrueValue() : choice.getFalseValue();
        Value *number = first ? choice.getFalseValue() : choice.getTrueValue();
        Value *truth = bool_operand(*number);
        if (!truth)
            continue;
        const bool is_true =
            is_sign_extension(*number) ? match(constant, m_AllOnes()) : match(constant, m_One());
        if (!is_true && !match(constant, m_Zero()))
            continue;
        IRBuilder<> builder(&choice);
        if (first != is_true)
            condition = builder.CreateNot(condition);
        // The select ignores a poison t in lanes that take the constant; `or` and `and` would not.
        truth = builder.CreateFreeze(truth);
        truth = is_true ? builder.CreateOr(condition, truth) : builder.CreateAnd(condition, truth);
        return extended(builder, truth, *number, choice);
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
