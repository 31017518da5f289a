// SPDX-License-Identifier: Apache-2.0
//
// Guards as bounds of the row: if (x < n) { … } needs no mask when the row ends at n.
#ifndef RIVULET_COMPILER_SPMD_ROW_BOUNDS_H
#define RIVULET_COMPILER_SPMD_ROW_BOUNDS_H

#include <optional>
#include <utility>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace rivulet::compiler {

// One comparison of x plus something with a limit, all of it computable from other parameters; of
// y, when that is the dimension, and from those after it.
struct RowBound {
    llvm::CmpInst::Predicate holds; // x + Σ addends ? limit for the work-items that run
    bool is_signed = false;
    llvm::Value *limit = nullptr;
    std::vector<std::pair<llvm::Value *, bool>> addends; // value; signed
};

// What a comparison says of x, if it is of that form, where x plus something doesn't wrap as
// a signed (or unsigned) number.
std::optional<RowBound> bound_of(llvm::ICmpInst &compare, bool is_signed, unsigned dimension = 0);

// The limit less the addends, as i64. `parameters` stand for the work-item's.
llvm::Value *limit_of(llvm::IRBuilderBase &builder, const RowBound &bound,
                      llvm::DenseMap<llvm::Value *, llvm::Value *> &parameters);

class RowBounds {
public:
    // Takes the guard out of the work-item function, where everything that it does is guarded.
    // What is left over are stores that are the same for the whole row.
    explicit RowBounds(llvm::Function &work_item, unsigned dimension = 0);
    ~RowBounds();
    RowBounds(const RowBounds &) = delete;
    RowBounds &operator=(const RowBounds &) = delete;

    bool empty() const { return bounds_.empty(); }
    // [begin, end) of the row that is left, as i32.
    std::pair<llvm::Value *, llvm::Value *>
    narrowed(llvm::IRBuilderBase &builder, llvm::Value *begin, llvm::Value *end,
             llvm::DenseMap<llvm::Value *, llvm::Value *> &parameters) const;
    // What the row does once, if it has any work-item.
    bool has_tail() const { return !tail_.empty(); }
    void emit_tail(llvm::IRBuilderBase &builder,
                   llvm::DenseMap<llvm::Value *, llvm::Value *> &parameters) const;

private:
    bool take(llvm::Value *condition, bool holds, llvm::Use &use);

    unsigned dimension_;
    std::vector<RowBound> bounds_;
    std::vector<llvm::StoreInst *> tail_;
    std::vector<llvm::Instruction *> kept_; // that limits and addends are made of
};

} // namespace rivulet::compiler

#endif
