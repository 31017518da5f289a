// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/transform/index_set_splitting.h"

#include <llvm/IR/PatternMatch.h>

#include "compiler/analysis/conditions.h"
#include "compiler/spmd/analysis/entry_rematerialisation.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

// A row is split at most at so many values of x.
constexpr size_t index_set_max_bounds = 4; // bounds

bool RowSplit::take(const Use &use) {
    Value *condition = use.get();
    if (is_recomputable(condition, dimension_ + 1)) {
        if (!isa<Constant>(condition))
            uniform_condition = &use;
        return true;
    }
    // What a part is where the work-item has no use for it doesn't matter: nothing else asks.
    if (auto *freeze = dyn_cast<FreezeInst>(condition); freeze && freeze->hasOneUse())
        return take(freeze->getOperandUse(0));
    if (const auto parts = parts_of(condition)) {
        only_points_ &= !parts->is_and;
        return all_of(cast<User>(condition)->operands(),
                      [&](const Use &part) { return take(part); });
    }
    auto *compare = dyn_cast<ICmpInst>(condition);
    if (!compare || !is_recomputable(compare))
        return false;
    auto bound = bound_of(*compare, compare->isSigned(), dimension_);
    if (!bound && !compare->isSigned()) {
        // The comparison is read as one of signed numbers below zero, too: an unsigned order
        // changes at zero.
        bound = bound_of(*compare, true, dimension_);
        if (bound && !compare->isEquality()) {
            bounds_.push_back(*bound);
            bounds_.back().holds = CmpInst::ICMP_SGE;
            bounds_.back().limit = ConstantInt::get(bound->limit->getType(), 0);
        }
    }
    if (!bound)
        return false;
    only_points_ &= bound->holds == CmpInst::ICMP_EQ;
    bounds_.push_back(*bound);
    return bounds_.size() <= index_set_max_bounds;
}

std::optional<RowSplit> RowSplit::of(const Use &condition, unsigned dimension) {
    RowSplit split;
    split.dimension_ = dimension;
    split.condition_ = condition.get();
    if (!split.take(condition) || split.bounds_.empty())
        return std::nullopt;
    return split;
}

bool RowSplit::is_apart_from(const Argument &parameter) const {
    return !is_made_of(condition_, parameter);
}

Value *RowSplit::holds(IRBuilderBase &builder, Value *x, DenseMap<Value *, Value *> known) const {
    auto *instruction = cast<Instruction>(condition_);
    known[instruction->getFunction()->getArg(dimension_)] = x;
    return recompute(builder, condition_, known);
}

RowSplit::SplitPoints RowSplit::split_points(IRBuilderBase &builder, Value *begin, Value *end,
                                             DenseMap<Value *, Value *> &known) const {
    SplitPoints split_points;
    Type *wide = builder.getInt64Ty();
    Value *low = builder.CreateZExt(begin, wide);
    Value *high = builder.CreateZExt(end, wide);
    for (const RowBound &bound : bounds_) {
        Value *limit = limit_of(builder, bound, known);
        if (CmpInst::isEquality(bound.holds)) {
            Value *inside = builder.CreateAnd(builder.CreateICmpSGE(limit, low),
                                              builder.CreateICmpSLT(limit, high));
            split_points.points.push_back(
                builder.CreateTrunc(builder.CreateSelect(inside, limit, high), begin->getType()));
            continue;
        }
        bool after = bound.holds == CmpInst::ICMP_ULE || bound.holds == CmpInst::ICMP_SLE ||
                     bound.holds == CmpInst::ICMP_UGT || bound.holds == CmpInst::ICMP_SGT;
        Value *edge = builder.CreateAdd(limit, builder.getInt64(after));
        edge = builder.CreateBinaryIntrinsic(Intrinsic::smax, edge, low);
        edge = builder.CreateBinaryIntrinsic(Intrinsic::smin, edge, high);
        split_points.edges.push_back(builder.CreateTrunc(edge, begin->getType()));
    }
    return split_points;
}

// Distances from `at` are unsigned, so that a split point at `at` or before it is far away.
Value *RowSplit::next(IRBuilderBase &builder, const SplitPoints &split_points, Value *at,
                      Value *end) {
    Value *one = builder.getInt32(1);
    Value *length = builder.CreateSub(end, at);
    auto at_most = [&](Value *distance) {
        length = builder.CreateBinaryIntrinsic(Intrinsic::umin, length, distance);
    };
    if (!split_points.edges.empty()) {
        length = builder.CreateSub(length, one);
        for (Value *edge : split_points.edges)
            at_most(builder.CreateSub(builder.CreateSub(edge, one), at));
        length = builder.CreateAdd(length, one);
    }
    for (Value *point : split_points.points)
        at_most(builder.CreateBinaryIntrinsic(Intrinsic::umax, builder.CreateSub(point, at), one));
    return builder.CreateAdd(at, length, "", true, true);
}

Value *RowSplit::next_point(IRBuilderBase &builder, const SplitPoints &split_points, Value *at,
                            Value *end) {
    Value *length = builder.CreateSub(end, at);
    for (Value *point : split_points.points)
        length =
            builder.CreateBinaryIntrinsic(Intrinsic::umin, length, builder.CreateSub(point, at));
    return builder.CreateAdd(at, length, "", true, true);
}

} // namespace rivulet::compiler
