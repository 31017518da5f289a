// SPDX-License-Identifier: Apache-2.0
//
// Lanes that add the same value to one word: one atomic addition of the total, of which each lane
// takes its share in order.
#include "compiler/spmd/codegen/instruction_widener.h"

#include <llvm/IR/IntrinsicsRISCV.h>

namespace rivulet::compiler {

using namespace llvm;

bool InstructionWidener::is_counting(const Instruction &instruction) const {
    auto *update = dyn_cast<AtomicRMWInst>(&instruction);
    return update && count_.isScalable() &&
           (update->getOperation() == AtomicRMWInst::Add ||
            update->getOperation() == AtomicRMWInst::Sub) &&
           strides_.uniform(update->getPointerOperand()) &&
           strides_.uniform(update->getValOperand());
}

// The numbers of all lanes fit into registers with 32 bits for up to 16 lanes per 64 bits.
Type *InstructionWidener::numbers() const {
    return vector_of(count_.getKnownMinValue() > 16 ? builder_.getInt16Ty()
                                                    : builder_.getInt32Ty());
}

// For each lane, how many lanes of the mask come before it.
Value *InstructionWidener::ranks(Value *mask) {
    Type *xlen = index_type();
    return builder_.CreateIntrinsic(
        Intrinsic::riscv_viota, {numbers(), xlen},
        {PoisonValue::get(numbers()), mask, builder_.CreateZExtOrTrunc(active.length, xlen)});
}

void InstructionWidener::emit_counting(AtomicRMWInst &update) {
    Type *type = update.getType();
    Value *mask = active.mask;
    Value *lanes = mask ? lanes_in(mask) : active.length;
    Value *by = scalar(update.getValOperand());
    auto *all = cast<AtomicRMWInst>(update.clone());
    all->setOperand(0, scalar(update.getPointerOperand()));
    all->setOperand(1, builder_.CreateMul(builder_.CreateZExtOrTrunc(lanes, type), by));
    builder_.Insert(all, update.getName());
    if (update.use_empty())
        return;

    Value *before = mask ? ranks(mask) : builder_.CreateStepVector(numbers());
    auto splat = [&](Value *value) { return builder_.CreateVectorSplat(count_, value); };
    before = builder_.CreateMul(builder_.CreateZExtOrTrunc(before, vector_of(type)), splat(by));
    vectors_[&update] = update.getOperation() == AtomicRMWInst::Add
                            ? builder_.CreateAdd(splat(all), before)
                            : builder_.CreateSub(splat(all), before);
}

} // namespace rivulet::compiler
