// SPDX-License-Identifier: Apache-2.0
//
// A row, or a group of rows, made of other rows. A group makes no decision that depends on y,
// unless it is parted in y.
#ifndef RIVULET_COMPILER_SPMD_PLAN_ROW_COMPOSER_H
#define RIVULET_COMPILER_SPMD_PLAN_ROW_COMPOSER_H

#include <array>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/work_items/work_item_loop.h"

namespace rivulet::compiler {

class RowComposer {
public:
    // `rows`: that the work-item function does at once, if the row is for neighbours in y, or 0.
    RowComposer(llvm::Function &work_item, unsigned rows);

    llvm::IRBuilder<> &builder() { return builder_; }
    // What stands for the parameters of the work-item function.
    llvm::DenseMap<llvm::Value *, llvm::Value *> &parameters() { return parameters_; }
    llvm::Value *begin() const { return row_->getArg(0); }
    llvm::Value *end() const { return row_->getArg(1); }
    llvm::BasicBlock *block(const llvm::Twine &name);

    // Of a group, what is called from now on does the rows y … end_y - 1, at least one, and so many
    // at once, of which the number of rows is a multiple.
    void part_of_y(llvm::Value *y, llvm::Value *end_y) { y_ = {y, end_y}; }
    void at_once(unsigned rows) { rows_ = rows; }
    llvm::Value *y() const { return y_[0]; }
    llvm::Value *end_y() const { return y_[1]; }

    // The callee is a row, with its begin and end, or a work-item function; null: nothing to do.
    // The parameters that it has in addition to this row's come last.
    void call(Row callee, llvm::ArrayRef<llvm::Value *> ids,
              llvm::ArrayRef<llvm::Value *> more = {});

    // Calls the row of a work-item function with x and y exchanged for each x from `begin` to
    // `end`, at least once.
    void call_columns(llvm::Function *columns, llvm::Value *begin, llvm::Value *end);

    Row finish();

private:
    void call(llvm::Function *callee, llvm::SmallVector<llvm::Value *, 48> arguments,
              llvm::ArrayRef<llvm::Value *> more);
    void call_for_each(Row callee, llvm::SmallVector<llvm::Value *, 48> arguments,
                       llvm::ArrayRef<llvm::Value *> more);

    llvm::Function &work_item_;
    unsigned rows_;
    llvm::Function *row_;
    llvm::IRBuilder<> builder_;
    llvm::DenseMap<llvm::Value *, llvm::Value *> parameters_;
    std::array<llvm::Value *, 2> y_{}; // of a group
    llvm::SmallVector<llvm::CallInst *, 2> calls_;
};

} // namespace rivulet::compiler

#endif
