// SPDX-License-Identifier: Apache-2.0
//
// Sums whose addend is a product of a narrow value, or a dot product of bytes: one instruction.
#include "compiler/spmd/codegen/instruction_widener.h"

#include <llvm/IR/IntrinsicsRISCV.h>

#include "compiler/analysis/operations.h"
#include "compiler/analysis/target_features.h"
#include "compiler/lowering/dot_products.h"
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

// The instruction adds to a sum: to zero, if `added` is null. The scalar form needs no vector of a
// word that is the same for all lanes.
Value *InstructionWidener::dot_product_of(CallInst &call, Value *added) {
    const auto product = dot_product(call.getCalledFunction());
    if (!product || count_.isFixed())
        return nullptr;
    const DotInstructions *instructions =
        dot_instructions(target_features(*builder_.GetInsertBlock()->getParent()));
    if (!instructions)
        return nullptr;
    Value *first = call.getArgOperand(0), *second = call.getArgOperand(1);
    bool first_is_signed = product->first_is_signed, second_is_signed = product->second_is_signed;
    auto swap = [&] {
        std::swap(first, second);
        std::swap(first_is_signed, second_is_signed);
    };
    const bool has_scalar = instructions->with_signed_scalar != Intrinsic::not_intrinsic &&
                            (strides_.uniform(first) || strides_.uniform(second));
    if (has_scalar ? strides_.uniform(first) : !first_is_signed)
        swap();
    const Intrinsic::ID id =
        first_is_signed == second_is_signed
            ? (first_is_signed ? instructions->of_signed : instructions->of_unsigned)
        : first_is_signed ? instructions->mixed
                          : instructions->with_signed_scalar;
    Value *sum = added ? vector(added) : Constant::getNullValue(vector_of(builder_.getInt32Ty()));
    return in_registers(
        {sum, vector(first), has_scalar ? scalar(second) : vector(second)},
        [&](ArrayRef<Value *> operands, Value *length) {
            auto *words = cast<VectorType>(operands[0]->getType());
            Type *bytes = VectorType::get(builder_.getInt8Ty(), words->getElementCount() * 4);
            Value *factor = has_scalar ? builder_.CreateSExtOrTrunc(operands[2], length->getType())
                                       : builder_.CreateBitCast(operands[2], bytes);
            return builder_.CreateIntrinsic(
                id, {words, bytes, factor->getType(), length->getType()},
                {operands[0], builder_.CreateBitCast(operands[1], bytes), factor, length,
                 ConstantInt::get(length->getType(), agnostic)});
        });
}

// The backend would compute 2 · v by a separate sum, and a - b - c as a - (b + c).
Value *InstructionWidener::accumulated(BinaryOperator &sum) {
    bool is_sub = sum.getOpcode() == Instruction::Sub;
    if (count_.isFixed() || (!is_sub && sum.getOpcode() != Instruction::Add))
        return nullptr;
    for (unsigned i : {0u, 1u})
        if (auto *call = dyn_cast<CallInst>(sum.getOperand(i));
            call && !is_sub && call->hasOneUse() && !strides_.uniform(call))
            if (Value *dot = dot_product_of(*call, sum.getOperand(1 - i)))
                return dot;
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
