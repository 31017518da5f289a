// SPDX-License-Identifier: Apache-2.0
#include "compiler/work_items/work_item_loop.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/work_items/loop_metadata.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// `dimensions`: how many have a begin and an end.
Function *create(Function &work_item, unsigned dimensions) {
    LLVMContext &context = work_item.getContext();
    SmallVector<Type *, 48> types(work_item.getFunctionType()->params());
    types.insert(types.begin(), dimensions, Type::getInt32Ty(context));
    auto *row = Function::Create(FunctionType::get(Type::getVoidTy(context), types, false),
                                 GlobalValue::InternalLinkage, work_item.getAddressSpace(),
                                 work_item.getName() + ".row", work_item.getParent());
    AttributeList attributes = work_item.getAttributes();
    SmallVector<AttributeSet, 48> parameters(2 * dimensions);
    for (unsigned i = 0; i < 2 * dimensions; ++i)
        row->getArg(i)->setName(i % 2 == 0 ? "begin" : "end");
    for (unsigned i = dimensions; i < work_item.arg_size(); ++i) {
        row->getArg(i + dimensions)->setName(work_item.getArg(i)->getName());
        parameters.push_back(attributes.getParamAttrs(i));
    }
    row->setAttributes(
        AttributeList::get(context, attributes.getFnAttrs(), AttributeSet(), parameters));
    return row;
}

} // namespace

Function *create_row(Function &work_item) { return create(work_item, 1); }
Function *create_rows(Function &work_item) { return create(work_item, 2); }

void for_each_row(IRBuilder<> &builder, Value *begin, Value *end, unsigned step,
                  function_ref<void(Value *y)> body, const Twine &name) {
    Function *function = builder.GetInsertBlock()->getParent();
    BasicBlock *before = builder.GetInsertBlock();
    BasicBlock *head = BasicBlock::Create(builder.getContext(), name, function);
    builder.CreateBr(head);
    builder.SetInsertPoint(head);
    PHINode *y = builder.CreatePHI(builder.getInt32Ty(), 2, name);
    body(y);
    Value *next = builder.CreateAdd(y, builder.getInt32(step), "", true, true);
    y->addIncoming(begin, before);
    y->addIncoming(next, builder.GetInsertBlock());
    BasicBlock *done = BasicBlock::Create(builder.getContext(), name + ".done", function);
    // Each copy would have addresses of its own.
    do_not_unroll(*builder.CreateCondBr(builder.CreateICmpULT(next, end), head, done));
    builder.SetInsertPoint(done);
}

void keep_subprogram(const Function &function, ValueToValueMapTy &map) {
    if (DISubprogram *subprogram = function.getSubprogram())
        map.MD()[subprogram].reset(subprogram);
}

Function *clone_with_parameter(Function &work_item, Type *type, const Twine &suffix,
                               ValueToValueMapTy &map) {
    SmallVector<Type *, 48> types(work_item.getFunctionType()->params());
    types.push_back(type);
    auto *clone = Function::Create(FunctionType::get(work_item.getReturnType(), types, false),
                                   work_item.getLinkage(), work_item.getAddressSpace(),
                                   work_item.getName() + suffix, work_item.getParent());
    keep_subprogram(work_item, map);
    for (llvm::Argument &argument : work_item.args()) {
        clone->getArg(argument.getArgNo())->setName(argument.getName());
        map[&argument] = clone->getArg(argument.getArgNo());
    }
    SmallVector<ReturnInst *> returns;
    CloneFunctionInto(clone, &work_item, map, CloneFunctionChangeType::LocalChangesOnly, returns);
    return clone;
}

Function *make_scalar_row(Function &work_item, bool shows_call) {
    Function *row = create_row(work_item);
    LLVMContext &context = row->getContext();
    auto *entry = BasicBlock::Create(context, "entry", row);
    auto *loop = BasicBlock::Create(context, "work_items", row);
    auto *done = BasicBlock::Create(context, "done", row);
    IRBuilder<> builder(entry);
    Value *begin = row->getArg(0);
    Value *end = row->getArg(1);
    builder.CreateCondBr(builder.CreateICmpULT(begin, end), loop, done);

    builder.SetInsertPoint(loop);
    PHINode *x = builder.CreatePHI(builder.getInt32Ty(), 2, "x");
    SmallVector<Value *, 48> arguments{x};
    for (unsigned i = 1; i < work_item.arg_size(); ++i)
        arguments.push_back(row->getArg(i + 1));
    CallInst *call = builder.CreateCall(&work_item, arguments);
    Value *next = builder.CreateAdd(x, builder.getInt32(1), "", true, true);
    builder.CreateCondBr(builder.CreateICmpULT(next, end), loop, done);
    x->addIncoming(begin, entry);
    x->addIncoming(next, loop);
    ReturnInst::Create(context, done);
    if (DISubprogram *subprogram = work_item.getSubprogram(); subprogram && shows_call)
        call->setDebugLoc(DILocation::get(context, subprogram->getLine(), 0, subprogram));
    row->setSubprogram(work_item.getSubprogram());
    work_item.setSubprogram(nullptr);
    return row;
}

} // namespace rivulet::compiler
