// SPDX-License-Identifier: Apache-2.0
//
// Replaces `x < bound ? bound : x`, which lets NaN pass, by a maximum of the bits as integers. No
// minimum or maximum of floating point does that; the integer one does, in one instruction and
// without a mask, if the instruction that made x yields no NaN but the canonical one, whose sign is
// positive.
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

// RISC-V V 1.0, 13 and F 2.2, 11.3: arithmetic, not what only moves signs or chooses; nor what the
// backend may still take for one of its operands, as x * 1 and x - 0, which could be any NaN.
bool produces_canonical_nan(const Value &value) {
    if (auto *operation = dyn_cast<BinaryOperator>(&value))
        return operation->getOpcode() != Instruction::FRem &&
               none_of(operation->operand_values(), [](const Value *operand) {
                   return match(operand, m_AnyZeroFP()) || match(operand, m_FPOne());
               });
    return is_fma(value) || match(&value, m_Sqrt(m_Value())) || isa<FPExtInst, FPTruncInst>(value);
}

// A larger negative number has smaller bits; all of these are above those of what is positive.
Intrinsic::ID as_integers(const APFloat &bound) {
    if (bound.isNaN() || bound.isZero()) // which -0 is not below
        return Intrinsic::not_intrinsic;
    return bound.isNegative() ? Intrinsic::umin : Intrinsic::smax;
}

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
