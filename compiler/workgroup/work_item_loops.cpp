// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/work_item_loops.h"

#include "compiler/work_items/loop_metadata.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// {begin, end} of y that are left of the range.
Range limited(IRBuilder<> &builder, Function &limits, Range y, RowArguments arguments) {
    arguments.erase(arguments.begin()); // x makes no difference
    arguments[0] = y.first;
    arguments[1] = y.second;
    Value *left = builder.CreateCall(&limits, arguments);
    return {builder.CreateExtractValue(left, 0), builder.CreateExtractValue(left, 1)};
}

// Calls the function of several rows one time after the other, in a loop of its own.
void call_for_all(IRBuilder<> &builder, Row rows, Range y,
                  function_ref<RowArguments(Value *y)> arguments) {
    LLVMContext &context = builder.getContext();
    Function *function = builder.GetInsertBlock()->getParent();
    auto *call = BasicBlock::Create(context, "all_rows", function);
    auto *done = BasicBlock::Create(context, "all_rows.done", function);
    builder.CreateCondBr(builder.CreateICmpULT(y.first, y.second), call, done);
    builder.SetInsertPoint(call);
    RowArguments all = arguments(y.first);
    all.insert(all.begin() + 3, y.second);
    builder.CreateCall(rows.function, all);
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
}

// Runs `several` as many times as it fits; returns the first y that is left.
Value *run_several(IRBuilder<> &builder, const Rows &rows, Range y,
                   function_ref<RowArguments(Value *y)> arguments) {
    if (rows.several.of_rows) {
        Value *count = builder.CreateAnd(builder.CreateNUWSub(y.second, y.first),
                                         builder.getInt32(0u - rows.count));
        Value *end = builder.CreateAdd(y.first, count, "", true, true);
        call_for_all(builder, rows.several, {y.first, end}, arguments);
        return end;
    }
    LLVMContext &context = builder.getContext();
    BasicBlock *before = builder.GetInsertBlock();
    Function *function = before->getParent();
    auto *head = BasicBlock::Create(context, "rows", function);
    auto *several = BasicBlock::Create(context, "several_rows", function);
    auto *rest = BasicBlock::Create(context, "rows.rest", function);
    builder.CreateBr(head);
    builder.SetInsertPoint(head);
    PHINode *at = builder.CreatePHI(y.first->getType(), 2, "y");
    at->addIncoming(y.first, before);
    Value *count = builder.getInt32(rows.count);
    Value *fit = builder.CreateICmpULE(count, builder.CreateNUWSub(y.second, at));
    if (rows.fit) {
        RowArguments work_item = arguments(at);
        work_item.erase(work_item.begin() + 1); // x, not its range
        fit = builder.CreateLogicalAnd(fit, builder.CreateCall(rows.fit, work_item));
    }
    builder.CreateCondBr(fit, several, rest);
    builder.SetInsertPoint(several);
    builder.CreateCall(rows.several.function, arguments(at));
    at->addIncoming(builder.CreateAdd(at, count, "", true, true), builder.GetInsertBlock());
    do_not_unroll(*builder.CreateBr(head));
    builder.SetInsertPoint(rest);
    return at;
}

} // namespace

bool has_y(const Rows &rows) {
    return rows.several.function || !rows.one.function->getArg(2)->use_empty();
}
bool has_z(const Rows &rows) {
    return !rows.one.function->getArg(rows.one.of_rows ? 4 : 3)->use_empty();
}
bool are_alike(const Rows &rows) { return !has_y(rows) && !has_z(rows) && !rows.limits; }

Loop::Loop(IRBuilder<> &builder, Value *begin, Value *end, const Twine &name, bool rotated)
    : builder_(builder), end_(end), rotated_(rotated) {
    Function *function = builder.GetInsertBlock()->getParent();
    BasicBlock *before = builder.GetInsertBlock();
    head_ = BasicBlock::Create(builder.getContext(), name, function);
    done_ = BasicBlock::Create(builder.getContext(), name + ".done", function);
    if (rotated)
        builder.CreateCondBr(builder.CreateICmpULT(begin, end), head_, done_);
    else
        builder.CreateBr(head_);
    builder.SetInsertPoint(head_);
    index_ = builder.CreatePHI(begin->getType(), 2, name);
    index_->addIncoming(begin, before);
    if (rotated)
        return;
    auto *body = BasicBlock::Create(builder.getContext(), name + ".body", function);
    builder.CreateCondBr(builder.CreateICmpULT(index_, end), body, done_);
    builder.SetInsertPoint(body);
}

void Loop::close() {
    Value *next =
        builder_.CreateAdd(index_, ConstantInt::get(index_->getType(), 1), "", true, true);
    index_->addIncoming(next, builder_.GetInsertBlock());
    do_not_unroll(*(rotated_
                        ? builder_.CreateCondBr(builder_.CreateICmpULT(next, end_), head_, done_)
                        : builder_.CreateBr(head_)));
    builder_.SetInsertPoint(done_);
}

void run_rows(IRBuilder<> &builder, const Rows &rows, Range y,
              function_ref<RowArguments(Value *y)> arguments, bool rotated) {
    if (rows.limits)
        y = limited(builder, *rows.limits, y, arguments(y.first));
    if (rows.several.function)
        y.first = run_several(builder, rows, y, arguments);
    if (!rows.one.function)
        return;
    if (rows.one.of_rows) {
        call_for_all(builder, rows.one, y, arguments);
        return;
    }
    // Jump threading goes through no header of a loop, so that regions after a loop of one
    // iteration would be entered by asking again how the region before them ended.
    auto *first = dyn_cast<ConstantInt>(y.first), *end = dyn_cast<ConstantInt>(y.second);
    if (first && end && first->getZExtValue() + 1 == end->getZExtValue()) {
        builder.CreateCall(rows.one.function, arguments(first));
        return;
    }
    Loop loop(builder, y.first, y.second, "y", rotated);
    builder.CreateCall(rows.one.function, arguments(loop.index()));
    loop.close();
}

} // namespace rivulet::compiler
