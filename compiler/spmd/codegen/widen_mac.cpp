// SPDX-License-Identifier: Apache-2.0
//
// Sums whose addend is a product of a narrow value: one widening instruction.
#include "compiler/spmd/codegen/instruction_widener.h"

#include <llvm/IR/IntrinsicsRISCV.h>

#include "compiler/analysis/operations.h"
#include "compiler/spmd/transform/mac_chains.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// The product follows others in a chain (rvl-mac-chains) whose parts have no other use.
bool follows(Value *before) {
    return before->hasOneUse() &&
           (wide_product(before) ||
            (is_sum(before) && wide_product(cast<Instruction>(before)->getOperand(1))));
}

} // namespace

// The backend would compute 2 · v by a separate sum, and a - b - c as a - (b + c).
Value *InstructionWidener::accumulated(BinaryOperator &sum) {
    bool is_sub = sum.getOpcode() == Instruction::Sub;
    if (count_.isFixed() || (!is_sub && sum.getOpcode() != Instruction::Add))
        return nullptr;
    auto product = wide_product(sum.getOperand(1));
    if (!product || (product->factor == 1 && !is_sub) || strides_.uniform(product->narrow) ||
        !sum.getOperand(1)->hasOneUse() || !follows(sum.getOperand(0)))
        return nullptr;
    Type *narrow = product->narrow->getType();
    unsigned bits = narrow->getScalarSizeInBits();
    if (registers(2 * bits / 8) > largest_lmul)
        return nullptr;
    int64_t factor = is_sub ? -product->factor : product->factor;
    if (factor < 0 && !isIntN(bits, factor))
        return nullptr;
    Value *before = vector(sum.getOperand(0));
    Value *each = vector(product->narrow);
    Type *xlen = builder_.GetInsertBlock()->getDataLayout().getIntPtrType(builder_.getContext());
    Value *length = builder_.CreateZExtOrTrunc(active.length, xlen);
    if (factor == -1)
        return builder_.CreateIntrinsic(
            product->is_signed ? Intrinsic::riscv_vwsub_w : Intrinsic::riscv_vwsubu_w,
            {before->getType(), each->getType(), xlen},
            {PoisonValue::get(before->getType()), before, each, length});
    Intrinsic::ID id = product->is_signed ? Intrinsic::riscv_vwmacc
                       : factor < 0       ? Intrinsic::riscv_vwmaccsu
                                          : Intrinsic::riscv_vwmaccu;
    return builder_.CreateIntrinsic(id, {before->getType(), narrow, each->getType(), xlen},
                                    {before, ConstantInt::getSigned(narrow, factor), each, length,
                                     ConstantInt::get(xlen, agnostic)});
}

} // namespace rivulet::compiler
