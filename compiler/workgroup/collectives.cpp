// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/collectives.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

enum class Operation { add, min, max };
enum class Form { reduce, scan_inclusive, scan_exclusive };

Operation operation_of(Builtin builtin) {
    switch (builtin) {
    case Builtin::all:
    case Builtin::reduce_min:
    case Builtin::scan_exclusive_min:
    case Builtin::scan_inclusive_min:
        return Operation::min;
    case Builtin::any:
    case Builtin::reduce_max:
    case Builtin::scan_exclusive_max:
    case Builtin::scan_inclusive_max:
        return Operation::max;
    default:
        return Operation::add;
    }
}

Form form_of(Builtin builtin) {
    return builtin >= Builtin::scan_inclusive_add   ? Form::scan_inclusive
           : builtin >= Builtin::scan_exclusive_add ? Form::scan_exclusive
                                                    : Form::reduce;
}

Constant *identity(Operation operation, Type *type, bool is_signed) {
    if (type->isFloatingPointTy()) {
        if (operation == Operation::add)
            return ConstantFP::getZero(type);
        return ConstantFP::getInfinity(type, operation == Operation::max);
    }
    unsigned bits = type->getIntegerBitWidth();
    if (operation == Operation::min)
        return ConstantInt::get(type, is_signed ? APInt::getSignedMaxValue(bits)
                                                : APInt::getMaxValue(bits));
    if (operation == Operation::max && is_signed)
        return ConstantInt::get(type, APInt::getSignedMinValue(bits));
    return ConstantInt::get(type, 0);
}

Value *combine(IRBuilderBase &builder, Operation operation, Value *a, Value *b, bool is_signed) {
    bool real = a->getType()->isFloatingPointTy();
    if (operation == Operation::add)
        return real ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
    bool min = operation == Operation::min;
    Intrinsic::ID id = real        ? (min ? Intrinsic::minnum : Intrinsic::maxnum)
                       : is_signed ? (min ? Intrinsic::smin : Intrinsic::smax)
                                   : (min ? Intrinsic::umin : Intrinsic::umax);
    return builder.CreateBinaryIntrinsic(id, a, b);
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

    Operation operation = operation_of(boundary.builtin);
    Form form = form_of(boundary.builtin);
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
    if (form != Form::reduce)
        builder.CreateStore(form == Form::scan_inclusive ? sum : so_far, place);
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
