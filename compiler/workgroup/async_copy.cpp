// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/async_copy.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/work_items/async_copy_element.h"
#include "compiler/work_items/work_group_builtin_table.h"
#include "compiler/workgroup/work_item.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

Value *wide(IRBuilder<> &builder, Function &function, unsigned index) {
    return builder.CreateZExt(function.getArg(index), builder.getInt64Ty(), "", true);
}

Value *local_linear_id(IRBuilder<> &builder, Function &function) {
    Value *sum = wide(builder, function, parameter::id + 2);
    for (unsigned d : {1u, 0u}) {
        Value *size = wide(builder, function, parameter::local_size + d);
        sum = builder.CreateNUWAdd(builder.CreateNUWMul(sum, size),
                                   wide(builder, function, parameter::id + d));
    }
    return sum;
}

Value *group_items(IRBuilder<> &builder, Function &function) {
    Value *items = wide(builder, function, parameter::local_size);
    for (unsigned d : {1u, 2u})
        items = builder.CreateNUWMul(items, wide(builder, function, parameter::local_size + d));
    return items;
}

} // namespace

void lower_async_copy(CallInst &call, Function &function) {
    const AsyncCopyElement element = *async_copy_element(call.getCalledFunction()->getName());
    bool strided = builtin_of(call) == Builtin::async_strided_copy;
    Value *destination = call.getArgOperand(0);
    Value *source = call.getArgOperand(1);
    bool from_global = source->getType()->getPointerAddressSpace() != local_space;

    IRBuilder<> builder(&call);
    Type *size = builder.getInt64Ty();
    Type *component = builder.getIntNTy(element.bytes * 8);
    auto as_size = [&](Value *value) { return builder.CreateZExtOrTrunc(value, size); };
    Value *count = as_size(call.getArgOperand(2));
    Value *stride = strided ? as_size(call.getArgOperand(3)) : builder.getInt64(1);
    Value *first = local_linear_id(builder, function);
    Value *step = group_items(builder, function);

    BasicBlock *before = call.getParent();
    BasicBlock *after = SplitBlock(before, &call);
    auto *head = BasicBlock::Create(call.getContext(), "copy", &function, after);
    auto *body = BasicBlock::Create(call.getContext(), "copy.element", &function, after);
    before->getTerminator()->setSuccessor(0, head);

    builder.SetInsertPoint(head);
    PHINode *index = builder.CreatePHI(size, 2, "element");
    builder.CreateCondBr(builder.CreateICmpULT(index, count), body, after);

    builder.SetInsertPoint(body);
    Value *far = builder.CreateMul(index, stride);
    auto address = [&](Value *pointer, Value *at, unsigned part) {
        Value *offset = builder.CreateMul(at, builder.getInt64(element.components));
        offset = builder.CreateAdd(offset, builder.getInt64(part));
        return builder.CreateGEP(component, pointer, offset);
    };
    for (unsigned part = 0; part < element.components; ++part) {
        Value *value = builder.CreateAlignedLoad(
            component, address(source, from_global ? far : index, part), Align(element.bytes));
        builder.CreateAlignedStore(value, address(destination, from_global ? index : far, part),
                                   Align(element.bytes));
    }
    Value *next = builder.CreateAdd(index, step);
    builder.CreateBr(head);
    index->addIncoming(first, before);
    index->addIncoming(next, body);

    // An event given is the one returned; without one any will do.
    call.replaceAllUsesWith(call.getArgOperand(call.arg_size() - 1));
    call.eraseFromParent();
}

} // namespace rivulet::compiler
