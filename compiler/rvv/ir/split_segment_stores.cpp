// SPDX-License-Identifier: Apache-2.0
//
// Replaces segment stores in blocks without enough registers by a strided store for each field, as
// soon as the field is computed. A segment store needs all of its fields at once, in adjacent
// registers; with eight fields and other values live, they don't fit, and LLVM spills and copies
// whole groups to assemble the segment.
//
// Runs on the second try only (codegen_driver.cpp), on functions whose loops spill: a segment store
// is one access, and cheaper than several if nothing spills. The fields of a tuple must be known
// here, so tuples that come from other blocks by a phi stay. Moving stores up is what frees the
// registers: without it the pass gains nothing.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsRISCV.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/rvv/ir/vector_liveness.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(SplitSegmentStoresPass);

namespace {

constexpr Intrinsic::ID segments[] = {
    Intrinsic::riscv_vsseg2_mask, Intrinsic::riscv_vsseg3_mask, Intrinsic::riscv_vsseg4_mask,
    Intrinsic::riscv_vsseg5_mask, Intrinsic::riscv_vsseg6_mask, Intrinsic::riscv_vsseg7_mask,
    Intrinsic::riscv_vsseg8_mask,
};
constexpr Intrinsic::ID strided_segments[] = {
    Intrinsic::riscv_vssseg2_mask, Intrinsic::riscv_vssseg3_mask, Intrinsic::riscv_vssseg4_mask,
    Intrinsic::riscv_vssseg5_mask, Intrinsic::riscv_vssseg6_mask, Intrinsic::riscv_vssseg7_mask,
    Intrinsic::riscv_vssseg8_mask,
};

// The fields of a tuple, from the insertions that build it; null for those that it doesn't set.
SmallVector<Value *, 8> fields_of(Value *tuple) {
    SmallVector<Value *, 8> fields(cast<TargetExtType>(tuple->getType())->getIntParameter(0));
    Value *rest = nullptr, *field = nullptr;
    uint64_t number = 0;
    for (; match(tuple, m_Intrinsic<Intrinsic::riscv_tuple_insert>(m_Value(rest), m_Value(field),
                                                                   m_ConstantInt(number)));
         tuple = rest)
        if (!fields[number])
            fields[number] = field;
    return fields;
}

// Moves an address and its operands to the front of the block, as far as they allow. Instructions
// that read memory stay: safe to speculate doesn't mean that a load may move across stores.
void take_to_front(Value *address, BasicBlock &block) {
    auto in_block = [&](Value *value) {
        auto *instruction = dyn_cast<Instruction>(value);
        return instruction && instruction->getParent() == &block && !isa<PHINode>(instruction)
                   ? instruction
                   : nullptr;
    };
    Instruction *instruction = in_block(address);
    if (!instruction || instruction->getType()->isVectorTy() ||
        instruction->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(instruction))
        return;
    Instruction *last = nullptr;
    for (Value *operand : instruction->operands()) {
        take_to_front(operand, block);
        if (Instruction *other = in_block(operand); other && (!last || last->comesBefore(other)))
            last = other;
    }
    instruction->moveBefore(last ? std::next(last->getIterator()) : block.getFirstNonPHIIt());
}

// Moves a store up to the last of its operands, or the last instruction before it that accesses
// memory or has another side effect.
void store_early(Instruction &store) {
    Instruction *earlier = store.getPrevNode();
    while (earlier && !isa<PHINode>(earlier) && !earlier->mayReadOrWriteMemory() &&
           !earlier->mayHaveSideEffects() && !is_contained(store.operands(), earlier))
        earlier = earlier->getPrevNode();
    if (earlier)
        store.moveAfter(earlier);
}

// Operands of the intrinsic: tuple, address, (stride), mask, length, logarithm of the element's
// size.
void store_apart(IntrinsicInst &store, ArrayRef<Value *> fields, bool strided) {
    IRBuilder<> builder(&store);
    const unsigned size = fields[0]->getType()->getScalarSizeInBits() / 8;
    Value *address = store.getArgOperand(1);
    Value *mask = store.getArgOperand(2 + strided);
    Value *length = store.getArgOperand(3 + strided);
    Value *stride = strided ? store.getArgOperand(2)
                            : ConstantInt::get(length->getType(), size * fields.size());
    for (Value *field : fields) {
        take_to_front(address, *store.getParent());
        auto *field_store = builder.CreateIntrinsic(
            Intrinsic::riscv_vsse_mask, {field->getType(), address->getType(), length->getType()},
            {field, address, stride, mask, length});
        field_store->setAAMetadata(store.getAAMetadata());
        store_early(*field_store);
        address = builder.CreateConstGEP1_64(builder.getInt8Ty(), address, size);
    }
    store.eraseFromParent();
}

void store_apart_in(BasicBlock &block) {
    for (Instruction &instruction : make_early_inc_range(block)) {
        auto *store = dyn_cast<IntrinsicInst>(&instruction);
        if (!store)
            continue;
        const bool strided = is_contained(strided_segments, store->getIntrinsicID());
        if (!strided && !is_contained(segments, store->getIntrinsicID()))
            continue;
        SmallVector<Value *, 8> fields = fields_of(store->getArgOperand(0));
        if (!is_contained(fields, nullptr))
            store_apart(*store, fields, strided);
    }
}

} // namespace

PreservedAnalyses SplitSegmentStoresPass::run(Function &function, FunctionAnalysisManager &) {
    const VectorLiveness liveness(function);
    if (liveness.empty()) // all vectors are folded into their users
        return PreservedAnalyses::none();
    for (BasicBlock &block : function)
        if (liveness.most_used(block) + liveness.largest() > vector_registers)
            store_apart_in(block);
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
