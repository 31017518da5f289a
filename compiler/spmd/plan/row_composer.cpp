// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/plan/row_composer.h"

#include <llvm/IR/DebugInfoMetadata.h>

#include "compiler/spmd/transform/exchange_ids.h"
#include "compiler/support/verification.h"
#include "compiler/work_items/inline_sole_call.h"

namespace rivulet::compiler {

using namespace llvm;

RowComposer::RowComposer(Function &work_item, unsigned rows)
    : work_item_(work_item), rows_(rows),
      row_(rows ? create_rows(work_item) : create_row(work_item)), builder_(row_->getContext()) {
    builder_.SetInsertPoint(block("entry"));
    const unsigned dimensions = rows ? 2 : 1;
    for (Argument &argument : drop_begin(work_item.args(), dimensions))
        parameters_[&argument] = row_->getArg(argument.getArgNo() + dimensions);
    if (rows)
        part_of_y(row_->getArg(2), row_->getArg(3));
}

BasicBlock *RowComposer::block(const Twine &name) {
    return BasicBlock::Create(builder_.getContext(), name, row_);
}

void RowComposer::call(Row callee, ArrayRef<Value *> ids, ArrayRef<Value *> more) {
    if (!callee.function)
        return;
    SmallVector<Value *, 48> arguments(ids);
    if (rows_ && !callee.of_rows) {
        call_for_each(callee, arguments, more);
        return;
    }
    if (rows_)
        arguments.append(y_.begin(), y_.end());
    for (Argument &argument : drop_begin(row_->args(), rows_ ? 4 : 2))
        arguments.push_back(&argument);
    call(callee.function, arguments, more);
}

void RowComposer::call_columns(Function *columns, Value *begin, Value *end) {
    for_each_row(
        builder_, begin, end, 1,
        [&](Value *x) {
            SmallVector<Value *, 48> arguments{x, y()};
            for (Argument &argument : drop_begin(row_->args(), 4))
                arguments.push_back(&argument);
            exchange_ids(arguments);
            arguments.insert(arguments.begin() + 1, end_y());
            call(columns, arguments, {});
        },
        "column");
}

Row RowComposer::finish() {
    builder_.CreateRetVoid();
    for (CallInst *call : calls_)
        inline_last_call(*call);
    row_->setSubprogram(work_item_.getSubprogram());
    work_item_.setSubprogram(nullptr);
    verify_after("row-composition", *row_);
    return {row_, rows_ != 0};
}

void RowComposer::call(Function *callee, SmallVector<Value *, 48> arguments,
                       ArrayRef<Value *> more) {
    append_range(arguments, more);
    calls_.push_back(builder_.CreateCall(callee, arguments));
    if (DISubprogram *subprogram = work_item_.getSubprogram())
        calls_.back()->setDebugLoc(
            DILocation::get(row_->getContext(), subprogram->getLine(), 0, subprogram));
}

void RowComposer::call_for_each(Row callee, SmallVector<Value *, 48> arguments,
                                ArrayRef<Value *> more) {
    for_each_row(builder_, y_[0], y_[1], rows_, [&](Value *y) {
        arguments.push_back(y);
        for (Argument &argument : drop_begin(row_->args(), 4))
            arguments.push_back(&argument);
        call(callee.function, arguments, more);
    });
}

} // namespace rivulet::compiler
