// SPDX-License-Identifier: Apache-2.0
//
// Turns guards into bounds of the row: if (x < n) { … } needs no mask when the row ends at n.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_GUARD_TO_LOOP_BOUND_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_GUARD_TO_LOOP_BOUND_H

#include <optional>
#include <utility>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace rivulet::compiler {

// One comparison of x plus something with a limit, all of it computable from other parameters; of
// y, when that is the dimension, and from those after it.
struct RowBound {
    struct Addend {
        llvm::Value *value; // of 32 bits
        bool is_signed;
        int64_t factor;
    };
    llvm::CmpInst::Predicate holds; // x + Σ addends + constant ? limit for the work-items that run
    bool is_signed = false;
    llvm::Value *limit = nullptr;
    std::vector<Addend> addends;
    int64_t constant = 0;
    bool may_wrap = false; // the sum, of 32 bits: where x is large, or small when unsigned
};

// The bound of x that a comparison states, if it has that form, where x plus something doesn't wrap
// as a signed (or unsigned) number, or may.
std::optional<RowBound> bound_of(llvm::ICmpInst &compare, bool is_signed, unsigned dimension = 0,
                                 bool may_wrap = false);

// The limit less the addends and the constant, as i64. `parameters` stand for the work-item's.
llvm::Value *limit_of(llvm::IRBuilderBase &builder, const RowBound &bound,
                      llvm::DenseMap<llvm::Value *, llvm::Value *> &parameters);

class RowBounds {
public:
    // Takes the guard out of a work-item function in which everything is guarded. Stores that are
    // uniform for the whole row remain. Sums that may wrap cost a loop over the row's parts: too
    // much for short rows.
    explicit RowBounds(llvm::Function &work_item, unsigned dimension = 0, bool takes_wraps = false);
    ~RowBounds();
    RowBounds(const RowBounds &) = delete;
    RowBounds &operator=(const RowBounds &) = delete;

    bool empty() const { return bounds_.empty(); }
    // Tells whether no bound depends on the parameter.
    bool is_apart_from(const llvm::Argument &parameter) const;
    // [begin, end) of the row, or of a part of it, that is left, as i32.
    std::pair<llvm::Value *, llvm::Value *>
    narrowed(llvm::IRBuilderBase &builder, llvm::Value *begin, llvm::Value *end,
             llvm::DenseMap<llvm::Value *, llvm::Value *> &parameters) const;
    // x plus something may wrap once in a row: [begin, end) has two parts then. Returns where the
    // one that begins at `at` ends.
    bool may_wrap() const;
    llvm::Value *part(llvm::IRBuilderBase &builder, llvm::Value *at, llvm::Value *end,
                      llvm::DenseMap<llvm::Value *, llvm::Value *> &parameters) const;
    // The tail runs once per row, if the row has any work-item.
    bool has_tail() const { return !tail_.empty(); }
    void emit_tail(llvm::IRBuilderBase &builder,
                   llvm::DenseMap<llvm::Value *, llvm::Value *> &parameters) const;

private:
    bool take(llvm::Value *condition, bool holds, llvm::Use &use);

    unsigned dimension_;
    bool takes_wraps_ = false;
    std::vector<RowBound> bounds_;
    std::vector<llvm::StoreInst *> tail_;
    std::vector<llvm::Instruction *> kept_; // that limits and addends are made of
};

} // namespace rivulet::compiler

#endif
