// SPDX-License-Identifier: Apache-2.0
//
// Rows: work-items that differ in x only.
#ifndef RIVULET_COMPILER_WORK_ITEMS_WORK_ITEM_LOOP_H
#define RIVULET_COMPILER_WORK_ITEMS_WORK_ITEM_LOOP_H

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace rivulet::compiler {

// From work-item(x, y, z, …) to row(begin, end, y, z, …): every work-item with begin ≤ x < end.
// The row's parameters are i32, i32, then those of the work-item from the second on.
llvm::Function *create_row(llvm::Function &work_item);

// The same for rows that are neighbours in y: rows(begin, end, y, end_y, z, …).
llvm::Function *create_rows(llvm::Function &work_item);

// Emits a loop of such a function: `body` for each y from `begin` to `end`, `step` apart, at least
// once.
void for_each_row(llvm::IRBuilder<> &builder, llvm::Value *begin, llvm::Value *end, unsigned step,
                  llvm::function_ref<void(llvm::Value *y)> body, const llvm::Twine &name = "y");

// To be called before cloning: the clone's lines belong to the same function of the source, because
// all parts of a kernel share the one subprogram that it can have.
void keep_subprogram(const llvm::Function &function, llvm::ValueToValueMapTy &map);

// A clone with one more parameter, the last one.
llvm::Function *clone_with_parameter(llvm::Function &work_item, llvm::Type *type,
                                     const llvm::Twine &suffix, llvm::ValueToValueMapTy &map);

struct Row {
    llvm::Function *function = nullptr;
    bool of_rows = false; // it is called for all neighbours, at least one
};

// A row that runs one work-item after the other. If it shows the call, debuggers take the work-item
// for an inlined function.
llvm::Function *make_scalar_row(llvm::Function &work_item, bool shows_call = true);

} // namespace rivulet::compiler

#endif
