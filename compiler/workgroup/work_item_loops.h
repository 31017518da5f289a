// SPDX-License-Identifier: Apache-2.0
//
// Functions for a region's work-items that differ in x only (work_items/work_item_loop.h), and the
// loop that calls them for all rows of a group.
#ifndef RIVULET_COMPILER_WORKGROUP_WORK_ITEM_LOOPS_H
#define RIVULET_COMPILER_WORKGROUP_WORK_ITEM_LOOPS_H

#include <llvm/IR/IRBuilder.h>

#include "compiler/work_items/work_item_loop.h"

namespace rivulet::compiler {

struct Rows {
    Row one = {};                  // of one y, or null: `several` leaves none
    Row several = {};              // of y … y + count - 1 (spmd/plan/unroll_and_jam_y.h), or null
    Row uneven = {};               // instead of both, of groups cut short; or null
    llvm::Function *fit = nullptr; // whether it may, or null: always
    unsigned count = 1;
    llvm::Function *limits = nullptr; // {begin, end} of y that are left of these; null: all
};

// The row is another one for each y, or z.
bool has_y(const Rows &rows);
bool has_z(const Rows &rows);

// So that one loop does for y and z.
bool are_alike(const Rows &rows);

// for (i = begin; i < end; i += 1), open until close(). `rotated`: as LLVM's LoopRotate leaves it,
// which takes long where there are many loops. Not unrolled: each copy of a row would have
// addresses of its own, too many for the registers, and loops over groups don't gain.
class Loop {
public:
    Loop(llvm::IRBuilder<> &builder, llvm::Value *begin, llvm::Value *end, const llvm::Twine &name,
         bool rotated = false);
    llvm::Value *index() const { return index_; }
    void close();

private:
    llvm::IRBuilder<> &builder_;
    llvm::Value *end_;
    bool rotated_;
    llvm::BasicBlock *head_;
    llvm::BasicBlock *done_;
    llvm::PHINode *index_;
};

// begin ≤ … < end
using Range = std::pair<llvm::Value *, llvm::Value *>;

// The arguments of a row's function: {begin, end} of x, y, z, …
using RowArguments = llvm::SmallVector<llvm::Value *, 48>;

// Calls `rows` for each y of the range: several at a time where they fit, the rest one by one; no
// loop is unrolled. `rotated`: see Loop.
void run_rows(llvm::IRBuilder<> &builder, const Rows &rows, Range y,
              llvm::function_ref<RowArguments(llvm::Value *y)> arguments, bool rotated);

} // namespace rivulet::compiler

#endif
