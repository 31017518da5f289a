// SPDX-License-Identifier: Apache-2.0
//
// Replaces `x < bound ? bound : x` by an integer maximum of the bits. The select returns x if x is
// a NaN; vfmax returns the bound, so it can't be used, and a comparison with a merge takes two
// instructions and the mask register v0. The integer maximum takes one.
//
// It is right only if every NaN in x has a clear sign bit: as a signed integer it is then larger
// than any number. RISC-V arithmetic returns the canonical NaN, which is positive, but loads,
// arguments, and operations that only move bits may return any NaN. So x must be computed by
// arithmetic that reaches the machine as arithmetic.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/analysis/operations.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(FmaxAsIntegerMaxPass);

namespace {

// Whether LLVM may still replace an operation with this operand by its other operand, or the
// negative of that: x * 1, x / -1, x - 0, and fma(x, -1, -0), which is -x.
bool may_fold_away(const Value *operand) {
    return match(operand, m_AnyZeroFP()) || match(operand, m_FPOne()) ||
           match(operand, m_SpecificFP(-1.0));
}

// Whether the value is computed by an instruction whose only NaN is the canonical one: RISC-V
// V 1.0, 13, and F 2.2, 11.3. LLVM folds a rounding of an extension to its operand; without
// Zvfbfmin an extension of bfloat is a shift, which keeps the sign of a NaN.
bool produces_canonical_nan(const Value &value) {
    if (auto *operation = dyn_cast<BinaryOperator>(&value))
        return operation->getOpcode() != Instruction::FRem &&
               none_of(operation->operand_values(), may_fold_away);
    if (is_fma(value))
        return none_of(cast<IntrinsicInst>(value).args(), may_fold_away);
    if (match(&value, m_FPTrunc(m_Value())))
        return !match(&value, m_FPTrunc(m_FPExt(m_Value())));
    if (match(&value, m_FPExt(m_Value())))
        return !cast<FPExtInst>(value).getSrcTy()->getScalarType()->isBFloatTy();
    return match(&value, m_Sqrt(m_Value()));
}

// The integer operation that orders bits as `bound` asks. Positive numbers are ordered like their
// bits as signed integers, and every negative number is below them. As unsigned integers, the bits
// of negative numbers are above those of all positive ones, and grow as the number falls: the
// maximum with a negative bound is the minimum of the bits. Zero is no bound: -0 is not below it,
// but its bits are.
Intrinsic::ID as_integers(const APFloat &bound) {
    if (bound.isNaN() || bound.isZero())
        return Intrinsic::not_intrinsic;
    return bound.isNegative() ? Intrinsic::umin : Intrinsic::smax;
}

// Matches both forms of the select; `x <= bound` differs only for equal values. Returns null for
// others.
Value *bounded(Instruction &instruction) {
    auto *type = dyn_cast<ScalableVectorType>(instruction.getType());
    if (!type || !type->isFPOrFPVectorTy())
        return nullptr;
    CmpPredicate predicate;
    Value *x = nullptr;
    Value *splat = nullptr;
    const APFloat *bound = nullptr;
    auto compared = m_FCmp(predicate, m_Value(x), m_CombineAnd(m_Value(splat), m_APFloat(bound)));
    if (match(&instruction, m_Select(compared, m_Deferred(splat), m_Deferred(x)))) {
        if (predicate != CmpInst::FCMP_OLT && predicate != CmpInst::FCMP_OLE)
            return nullptr;
    } else if (!match(&instruction, m_Select(compared, m_Deferred(x), m_Deferred(splat))) ||
               (predicate != CmpInst::FCMP_UGE && predicate != CmpInst::FCMP_UGT)) {
        return nullptr;
    }
    const Intrinsic::ID how = as_integers(*bound);
    if (how == Intrinsic::not_intrinsic || !produces_canonical_nan(*x))
        return nullptr;
    Type *integers = VectorType::getInteger(type);
    IRBuilder<> builder(&instruction);
    Value *result = builder.CreateBinaryIntrinsic(how, builder.CreateBitCast(x, integers),
                                                  builder.CreateBitCast(splat, integers));
    return builder.CreateBitCast(result, type);
}

} // namespace

PreservedAnalyses FmaxAsIntegerMaxPass::run(Function &function, FunctionAnalysisManager &) {
    SmallVector<WeakTrackingVH> replaced;
    for (Instruction &instruction : instructions(function))
        if (Value *other = bounded(instruction)) {
            instruction.replaceAllUsesWith(other);
            replaced.emplace_back(&instruction);
        }
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
