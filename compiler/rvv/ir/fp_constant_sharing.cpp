// SPDX-License-Identifier: Apache-2.0
//
// Merges scalar operands of vector instructions that differ only in their sign, so that they share
// a register: x + -c becomes x - c, and a * -c + d becomes -a * c + d, which vfnmsub computes. LLVM
// canonicalises x - c to x + -c and so loads both c and -c. Polynomials have many such constants,
// and those that don't fit into the 32 FP registers are reloaded in the loop.
//
// Negation is exact in every rounding mode, and arithmetic does not keep the sign of a NaN, so the
// results are the same. Runs after all InstCombine, which would undo it.
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/analysis/operations.h"
#include "compiler/rvv/ir/scalar_operands.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(FpConstantSharingPass);

namespace {

// The negative of a scalar, if that needs no instruction of its own: the scalar is a negation, or a
// negative constant whose positive counterpart other vector instructions use.
Value *negated(Value *scalar, const SmallPtrSetImpl<Value *> &scalars) {
    Value *other = nullptr;
    if (match(scalar, m_FNeg(m_Value(other))))
        return other;
    auto *constant = dyn_cast<ConstantFP>(scalar);
    if (!constant || !constant->isNegative())
        return nullptr;
    other = ConstantFP::get(constant->getType(), neg(constant->getValueAPF()));
    return scalars.contains(other) ? other : nullptr;
}

void use_negated(Use &use, Value *scalar) {
    auto *user = cast<Instruction>(use.getUser());
    IRBuilder<> builder(user);
    Value *vector =
        builder.CreateVectorSplat(cast<VectorType>(use->getType())->getElementCount(), scalar);
    if (is_fma(*user)) {
        Use &factor = user->getOperandUse(1 - use.getOperandNo());
        factor.set(builder.CreateFNeg(factor.get()));
        use.set(vector);
        return;
    }
    const auto opposite =
        user->getOpcode() == Instruction::FAdd ? Instruction::FSub : Instruction::FAdd;
    Value *result = builder.CreateBinOp(opposite, user->getOperand(1 - use.getOperandNo()), vector);
    if (auto *instruction = dyn_cast<Instruction>(result))
        instruction->copyFastMathFlags(user);
    user->replaceAllUsesWith(result);
}

} // namespace

PreservedAnalyses FpConstantSharingPass::run(Function &function, FunctionAnalysisManager &) {
    SmallPtrSet<Value *, 32> scalars;
    for (Instruction &instruction : instructions(function))
        for (const Use &use : instruction.operands())
            if (Value *scalar = scalar_of(use))
                scalars.insert(scalar);
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        const bool adds = instruction.getOpcode() == Instruction::FAdd;
        const bool subtracts = instruction.getOpcode() == Instruction::FSub;
        if (!adds && !subtracts && !is_fma(instruction))
            continue;
        for (Use &use : instruction.operands()) {
            Value *scalar = subtracts && use.getOperandNo() == 0 ? nullptr : scalar_of(use);
            if (Value *other = scalar ? negated(scalar, scalars) : nullptr) {
                use_negated(use, other);
                break;
            }
        }
        if (instruction.use_empty() && !instruction.mayHaveSideEffects())
            instruction.eraseFromParent();
    }
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
