// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/collectives.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

Constant *identity(Operation operation, Type *type, bool is_signed) {
    bool real = type->isFloatingPointTy();
    unsigned bits = type->getScalarSizeInBits();
    switch (operation) {
    case Operation::multiply:
        return real ? ConstantFP::get(type, 1) : ConstantInt::get(type, 1);
    case Operation::logical_and:
        return ConstantInt::get(type, 1);
    case Operation::bit_and:
        return Constant::getAllOnesValue(type);
    case Operation::min:
        if (real)
            return ConstantFP::getInfinity(type);
        return ConstantInt::get(type, is_signed ? APInt::getSignedMaxValue(bits)
                                                : APInt::getMaxValue(bits));
    case Operation::max:
        if (real)
            return ConstantFP::getInfinity(type, true);
        return ConstantInt::get(type, is_signed ? APInt::getSignedMinValue(bits)
                                                : APInt::getMinValue(bits));
    default:
        return Constant::getNullValue(type);
    }
}

// Logical operands are 0 or 1.
Value *combine(IRBuilderBase &builder, Operation operation, Value *a, Value *b, bool is_signed) {
    bool real = a->getType()->isFloatingPointTy();
    switch (operation) {
    case Operation::add:
        return real ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
    case Operation::multiply:
        return real ? builder.CreateFMul(a, b) : builder.CreateMul(a, b);
    case Operation::bit_and:
    case Operation::logical_and:
        return builder.CreateAnd(a, b);
    case Operation::bit_or:
    case Operation::logical_or:
        return builder.CreateOr(a, b);
    case Operation::bit_xor:
    case Operation::logical_xor:
        return builder.CreateXor(a, b);
    case Operation::min:
        return builder.CreateBinaryIntrinsic(real        ? Intrinsic::minnum
                                             : is_signed ? Intrinsic::smin
                                                         : Intrinsic::umin,
                                             a, b);
    case Operation::max:
        return builder.CreateBinaryIntrinsic(real        ? Intrinsic::maxnum
                                             : is_signed ? Intrinsic::smax
                                                         : Intrinsic::umax,
                                             a, b);
    }
    llvm_unreachable("an operation without a row");
}

} // namespace

Value *run_collective(IRBuilderBase &builder, const Boundary &boundary, const LiveValue &operand,
                      const GroupValues &group, Value *index) {
    auto address = [&](Value *linear_id) {
        return saved_address(builder, group.saved, group.full_items, linear_id, operand.offset,
                             operand.bytes);
    };
    if (boundary.builtin == Builtin::broadcast)
        return builder.CreateLoad(operand.type,
                                  address(builder.CreateTrunc(index, builder.getInt32Ty())));

    const Operation operation = boundary.operation;
    BasicBlock *before = builder.GetInsertBlock();
    Function *function = before->getParent();
    auto *loop = BasicBlock::Create(builder.getContext(), "collective", function);
    auto *after = BasicBlock::Create(builder.getContext(), "collective.done", function);
    builder.CreateBr(loop); // a group has at least one work-item

    builder.SetInsertPoint(loop);
    PHINode *item = builder.CreatePHI(builder.getInt32Ty(), 2);
    PHINode *so_far = builder.CreatePHI(operand.type, 2);
    Value *place = address(item);
    Value *sum = combine(builder, operation, so_far, builder.CreateLoad(operand.type, place),
                         boundary.is_signed);
    if (boundary.builtin != Builtin::reduce)
        builder.CreateStore(boundary.builtin == Builtin::scan_inclusive ? sum : so_far, place);
    Value *next = builder.CreateAdd(item, builder.getInt32(1), "", true, true);
    builder.CreateCondBr(builder.CreateICmpULT(next, group.items), loop, after);
    item->addIncoming(builder.getInt32(0), before);
    item->addIncoming(next, loop);
    so_far->addIncoming(identity(operation, operand.type, boundary.is_signed), before);
    so_far->addIncoming(sum, loop);
    builder.SetInsertPoint(after);
    return sum;
}

} // namespace rivulet::compiler
