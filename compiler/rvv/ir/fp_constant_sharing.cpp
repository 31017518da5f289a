// SPDX-License-Identifier: Apache-2.0
#include "compiler/rvv/ir/fp_constant_sharing.h"

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
#include "compiler/tuning/rvv.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

// The operand that an instruction takes from a scalar register; null for the addend of a product.
Value *scalar_of(const Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    const bool takes =
        is_fma(*user) ? use.getOperandNo() < 2 : isa<BinaryOperator>(user) || isa<FCmpInst>(user);
    return takes && isa<ScalableVectorType>(use->getType()) && use->getType()->isFPOrFPVectorTy()
               ? getSplatValue(use.get())
               : nullptr;
}

// The negative of a scalar, if that stands there anyway.
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

void reload_at_uses(Value *scalar, ArrayRef<Use *> uses) {
    BasicBlock &entry = cast<Instruction>(uses[0]->getUser())->getFunction()->getEntryBlock();
    auto *slot = IRBuilder<>(&entry, entry.begin()).CreateAlloca(scalar->getType());
    auto *maker = dyn_cast<Instruction>(scalar);
    BasicBlock::iterator insert_point =
        maker ? *maker->getInsertionPointAfterDef() : entry.getFirstNonPHIOrDbgOrAlloca();
    IRBuilder<>(insert_point->getParent(), insert_point).CreateStore(scalar, slot);
    for (Use *use : uses) {
        IRBuilder<> builder(cast<Instruction>(use->getUser()));
        Value *fetched = builder.CreateLoad(scalar->getType(), slot, true); // volatile: here
        use->set(builder.CreateVectorSplat(
            cast<VectorType>(use->get()->getType())->getElementCount(), fetched));
    }
}

bool spill_scalars(const Loop &loop) {
    MapVector<Value *, SmallVector<Use *, 2>> uses;
    for (BasicBlock *block : loop.blocks())
        for (Instruction &instruction : *block)
            for (Use &use : instruction.operands())
                if (Value *scalar = scalar_of(use))
                    uses[scalar].push_back(&use);
    if (uses.size() <= tuning::loop_scalar_registers)
        return false;
    bool any = false;
    size_t left = uses.size() - tuning::loop_scalar_registers;
    for (size_t count = 1; left > 0 && count <= tuning::scalar_max_reloads; ++count)
        for (auto &[scalar, scalar_uses] : uses)
            if (left > 0 && scalar_uses.size() == count && loop.isLoopInvariant(scalar)) {
                reload_at_uses(scalar, scalar_uses);
                --left;
                any = true;
            }
    return any;
}

} // namespace

void share_negated_constants(Function &function) {
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
}

bool spill_scalars(Function &function) {
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    bool any = false;
    for (Loop *loop : loops.getLoopsInPreorder())
        if (loop->isInnermost())
            any |= spill_scalars(*loop);
    return any;
}

} // namespace rivulet::compiler
