// SPDX-License-Identifier: Apache-2.0
//
// Guards as bounds of the row: if (x < n) { … } needs no mask when the row ends at n.
#ifndef RIVULET_COMPILER_SPMD_ROW_BOUNDS_H
#define RIVULET_COMPILER_SPMD_ROW_BOUNDS_H

#include <utility>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace rivulet::compiler {

// One comparison of x plus something with a limit, all of it computable from parameters.
struct RowBound {
    llvm::CmpInst::Predicate holds; // x + Σ addends ? limit for the work-items that run
    bool is_signed = false;
    llvm::Value *limit = nullptr;
    std::vector<std::pair<llvm::Value *, bool>> addends; // value; signed
};

class RowBounds {
public:
    // Takes the guard out of the work-item function, where everything that it does is guarded.
    // What is left over are stores that are the same for the whole row.
    explicit RowBounds(llvm::Function &work_item);
    ~RowBounds();
    RowBounds(const RowBounds &) = delete;
    RowBounds &operator=(const RowBounds &) = delete;

    // [begin, end) of the row that is left, as i32. `parameters` stand for the work-item's.
    std::pair<llvm::Value *, llvm::Value *>
    narrowed(llvm::IRBuilderBase &builder, llvm::Value *begin, llvm::Value *end,
             llvm::DenseMap<llvm::Value *, llvm::Value *> &parameters) const;
    // What the row does once, if it has any work-item.
    bool has_tail() const { return !tail_.empty(); }
    void emit_tail(llvm::IRBuilderBase &builder,
                   llvm::DenseMap<llvm::Value *, llvm::Value *> &parameters) const;

private:
    bool take(llvm::Value *condition, bool holds, llvm::Use &use);

    std::vector<RowBound> bounds_;
    std::vector<llvm::StoreInst *> tail_;
    std::vector<llvm::Instruction *> kept_; // that limits and addends are made of
};

} // namespace rivulet::compiler

#endif
