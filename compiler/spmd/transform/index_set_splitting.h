// SPDX-License-Identifier: Apache-2.0
//
// Splits a row at the values of x where the condition of a branch changes, as at the border of an
// image. Each part of the row takes one successor of the branch, without masks. Neighbouring rows
// are split in the same way at values of y.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_INDEX_SET_SPLITTING_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_INDEX_SET_SPLITTING_H

#include "compiler/spmd/transform/guard_to_loop_bound.h"

namespace rivulet::compiler {

class RowSplit {
public:
    // Splits at a condition of comparisons of x with limits, and of conditions that are uniform
    // for the row; of y and for all rows, when that is the dimension.
    static std::optional<RowSplit> of(const llvm::Use &condition, unsigned dimension = 0);

    // A part of the condition that is uniform for the row, to be decided first; or null.
    const llvm::Use *uniform_condition = nullptr;

    // Whether the condition holds at single values of x only, as x == n does.
    bool only_points() const { return only_points_; }

    // Tells whether the condition doesn't depend on the parameter.
    bool is_apart_from(const llvm::Argument &parameter) const;

    // The condition for work-item x (i32) of a row whose parameters `known` maps.
    llvm::Value *holds(llvm::IRBuilderBase &builder, llvm::Value *x,
                       llvm::DenseMap<llvm::Value *, llvm::Value *> known) const;

    // The points of [begin, end) where the condition may change, for next().
    struct SplitPoints {
        llvm::SmallVector<llvm::Value *, 4> edges;  // first x after it
        llvm::SmallVector<llvm::Value *, 4> points; // the only x, or end
    };
    SplitPoints split_points(llvm::IRBuilderBase &builder, llvm::Value *begin, llvm::Value *end,
                             llvm::DenseMap<llvm::Value *, llvm::Value *> &known) const;
    // The first x after `at` for which the condition may be another, at most end.
    static llvm::Value *next(llvm::IRBuilderBase &builder, const SplitPoints &split_points,
                             llvm::Value *at, llvm::Value *end);
    // The first point from `at` on, or end.
    static llvm::Value *next_point(llvm::IRBuilderBase &builder, const SplitPoints &split_points,
                                   llvm::Value *at, llvm::Value *end);

private:
    bool take(const llvm::Use &condition);

    unsigned dimension_ = 0;
    llvm::Value *condition_ = nullptr;
    bool only_points_ = true;
    std::vector<RowBound> bounds_;
};

} // namespace rivulet::compiler

#endif
