// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/analysis/entry_rematerialisation.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

namespace rivulet::compiler {

using namespace llvm;

// The longest computation from arguments and ids that is repeated at the entry of a region or a row
// instead of being saved.
constexpr unsigned entry_remat_max_instructions = 12; // instructions

namespace {

bool may_divide_by_zero(const Instruction &instruction) {
    auto *divisor =
        instruction.isIntDivRem() ? dyn_cast<ConstantInt>(instruction.getOperand(1)) : nullptr;
    return instruction.isIntDivRem() && !(divisor && !divisor->isZero());
}

bool cheap(Value *value, unsigned first, unsigned &left) {
    if (auto *argument = dyn_cast<Argument>(value))
        return argument->getArgNo() >= first;
    if (isa<Constant>(value))
        return true;
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || left == 0)
        return false;
    --left;
    if (auto *phi = dyn_cast<PHINode>(instruction))
        return phi->getNumIncomingValues() == 1 && cheap(phi->getIncomingValue(0), first, left);
    // A division for a whole row: if no work-item gets there, the operands may be anything.
    const bool divides = first > 0 && may_divide_by_zero(*instruction);
    if (isa<AllocaInst>(instruction) || instruction->mayReadOrWriteMemory() ||
        !(divides || isSafeToSpeculativelyExecute(instruction)))
        return false;
    return all_of(instruction->operands(),
                  [&](Value *operand) { return cheap(operand, first, left); });
}

} // namespace

bool is_recomputable(Value *value, unsigned first) {
    unsigned left = entry_remat_max_instructions;
    return cheap(value, first, left);
}

bool is_made_of(Value *value, const Argument &parameter) {
    auto *instruction = dyn_cast<Instruction>(value);
    return instruction ? any_of(instruction->operands(),
                                [&](Value *operand) { return is_made_of(operand, parameter); })
                       : value == &parameter;
}

// The value's flags need not hold for all work-items of the row, nor for any: a part of a condition
// may count only if an earlier part doesn't decide. So all flags are dropped, and a value that is
// poison without them (a shift by too much) is frozen. Parameters are never poison.
Value *recompute(IRBuilderBase &builder, Value *value, DenseMap<Value *, Value *> &known) {
    if (isa<Constant>(value))
        return value;
    if (Value *found = known.lookup(value))
        return found;
    if (isa<Argument>(value))
        return value;
    auto *instruction = cast<Instruction>(value);
    if (auto *phi = dyn_cast<PHINode>(instruction))
        return known[value] = recompute(builder, phi->getIncomingValue(0), known);
    SmallVector<Value *, 4> operands;
    for (Value *operand : instruction->operands())
        operands.push_back(recompute(builder, operand, known));
    Instruction *copy = instruction->clone();
    copy->dropPoisonGeneratingAnnotations();
    copy->dropUBImplyingAttrsAndMetadata();
    for (unsigned i = 0; i < operands.size(); ++i)
        copy->setOperand(i, operands[i]);
    if (may_divide_by_zero(*instruction)) {
        // Division by zero is undefined, and so is that of the least number by −1.
        auto *type = cast<IntegerType>(copy->getType());
        Value *undefined = builder.CreateIsNull(operands[1]);
        if (copy->getOpcode() == Instruction::SDiv || copy->getOpcode() == Instruction::SRem) {
            const APInt least = APInt::getSignedMinValue(type->getBitWidth());
            Value *is_least = builder.CreateICmpEQ(operands[0], ConstantInt::get(type, least));
            Value *is_minus_one =
                builder.CreateICmpEQ(operands[1], ConstantInt::getAllOnesValue(type));
            undefined = builder.CreateOr(undefined, builder.CreateAnd(is_least, is_minus_one));
        }
        copy->setOperand(1,
                         builder.CreateSelect(undefined, ConstantInt::get(type, 1), operands[1]));
    }
    Value *result = builder.Insert(copy, instruction->getName());
    if (canCreatePoison(cast<Operator>(copy)))
        result = builder.CreateFreeze(result);
    return known[value] = result;
}

} // namespace rivulet::compiler
