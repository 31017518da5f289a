// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/transform/guard_to_loop_bound.h"

#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/analysis/conditions.h"
#include "compiler/spmd/analysis/entry_rematerialisation.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

// Limits are clipped here, so that sums can be subtracted from them. A sum that is accepted, and x
// in it, is less than half as far from zero: it stays below a limit that was clipped, and the
// difference doesn't wrap.
constexpr uint64_t far_beyond = uint64_t(1) << 60;

// value = x + Σ addends + constant, without a wrap, or modulo 2^32.
bool is_x_plus(Value *value, unsigned dimension, const DataLayout &layout, RowBound &bound) {
    auto is_addend = [&](Value *part) {
        return part->getType()->isIntegerTy(32) && !isa<Constant>(part) &&
               is_recomputable(part, dimension + 1);
    };
    AffineExpressions sums(layout, {.leaves = 1, .is_leaf = is_addend});
    const AffineSum &sum =
        sums.of(value, bound.may_wrap ? Meaning::modulo : as_number(bound.is_signed));
    bool has_x = false;
    for (const auto &[term, factor] : sum.terms) {
        auto [leaf, meaning] = sums.leaf(term.back());
        if (auto *argument = dyn_cast<Argument>(leaf);
            argument && argument->getArgNo() == dimension && factor == 1 && !has_x) {
            has_x = true;
            continue;
        }
        if (!is_addend(leaf))
            return false;
        bound.addends.push_back({leaf, meaning != Meaning::as_unsigned, factor});
    }
    bound.constant = sum.constant;
    return has_x && (bound.may_wrap || sums.magnitude(sum) < far_beyond / 2);
}

Value *times(IRBuilderBase &builder, Value *value, int64_t factor) {
    return factor == 1 ? value
                       : builder.CreateMul(value, ConstantInt::getSigned(value->getType(), factor));
}

// The addends and the constant modulo 2^32, as a signed number.
Value *sum_of(IRBuilderBase &builder, const RowBound &bound,
              DenseMap<Value *, Value *> &parameters) {
    Value *sum = builder.getInt32(uint32_t(bound.constant));
    for (auto [addend, is_signed, factor] : bound.addends)
        sum = builder.CreateAdd(
            sum, times(builder, recompute(builder, addend, parameters), int32_t(factor)));
    return builder.CreateSExt(sum, builder.getInt64Ty());
}

// The first x with which the sum is beyond the largest signed number, or not below zero.
Value *wrap_of(IRBuilderBase &builder, const RowBound &bound,
               DenseMap<Value *, Value *> &parameters) {
    return builder.CreateSub(builder.getInt64(bound.is_signed ? uint64_t(1) << 31 : 0),
                             sum_of(builder, bound, parameters));
}

// The block does nothing that shows, up to its branch.
bool is_pure(const BasicBlock &block) {
    return none_of(block,
                   [](const Instruction &instruction) { return instruction.mayHaveSideEffects(); });
}

} // namespace

std::optional<RowBound> bound_of(ICmpInst &compare, bool is_signed, unsigned dimension,
                                 bool may_wrap) {
    Type *type = compare.getOperand(0)->getType();
    if (may_wrap && !type->isIntegerTy(32))
        return std::nullopt;
    if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64)
        return std::nullopt;
    for (unsigned side : {0u, 1u}) {
        RowBound bound;
        bound.holds = side ? compare.getSwappedPredicate() : compare.getPredicate();
        bound.is_signed = is_signed;
        bound.may_wrap = may_wrap;
        bound.limit = compare.getOperand(1 - side);
        if (is_recomputable(bound.limit, dimension + 1) &&
            is_x_plus(compare.getOperand(side), dimension, compare.getDataLayout(), bound))
            return bound;
    }
    return std::nullopt;
}

Value *limit_of(IRBuilderBase &builder, const RowBound &bound,
                DenseMap<Value *, Value *> &parameters) {
    Type *wide = builder.getInt64Ty();
    auto extended = [&](Value *value, bool is_signed) {
        return is_signed ? builder.CreateSExt(value, wide) : builder.CreateZExt(value, wide);
    };
    Value *limit = recompute(builder, bound.limit, parameters);
    const bool may_be_far = limit->getType()->getIntegerBitWidth() > 32;
    limit = extended(limit, bound.is_signed);
    if (may_be_far && bound.is_signed)
        limit = builder.CreateBinaryIntrinsic(
            Intrinsic::smax,
            builder.CreateBinaryIntrinsic(Intrinsic::smin, limit, builder.getInt64(far_beyond)),
            builder.getInt64(-far_beyond));
    else if (may_be_far)
        limit = builder.CreateBinaryIntrinsic(Intrinsic::umin, limit, builder.getInt64(far_beyond));
    if (bound.may_wrap)
        return builder.CreateSub(limit, sum_of(builder, bound, parameters));
    for (auto [addend, is_signed, factor] : bound.addends)
        limit = builder.CreateSub(
            limit,
            times(builder, extended(recompute(builder, addend, parameters), is_signed), factor));
    return bound.constant == 0
               ? limit
               : builder.CreateSub(limit, ConstantInt::getSigned(wide, bound.constant));
}

// Takes part of a condition that is to hold, or not to hold, for work-items that run.
bool RowBounds::take(Value *condition, bool holds, Use &use) {
    if (const auto parts = implied_parts(condition, holds)) {
        auto *instruction = cast<Instruction>(condition);
        if (!instruction->hasOneUse())
            return false;
        bool is_select = isa<SelectInst>(instruction);
        unsigned second = is_select ? (holds ? 1 : 2) : 1;
        bool first_taken = take(parts->left, holds, instruction->getOperandUse(0));
        return take(parts->right, holds, instruction->getOperandUse(second)) || first_taken;
    }
    auto *compare = dyn_cast<ICmpInst>(condition);
    if (!compare)
        return false;
    auto bound = bound_of(*compare, compare->isSigned(), dimension_);
    if (!bound && takes_wraps_)
        bound = bound_of(*compare, compare->isSigned(), dimension_, true);
    if (!bound)
        return false;
    if (!holds)
        bound->holds = CmpInst::getInversePredicate(bound->holds);
    if (bound->holds == CmpInst::ICMP_NE)
        return false;
    bounds_.push_back(*bound);
    use.set(ConstantInt::getBool(condition->getContext(), holds));
    return true;
}

RowBounds::RowBounds(Function &function, unsigned dimension, bool takes_wraps)
    : dimension_(dimension) {
    BasicBlock &entry = function.getEntryBlock();
    auto *branch = dyn_cast<BranchInst>(entry.getTerminator());
    if (!branch || branch->isUnconditional() || !is_pure(entry))
        return;
    // Only where all work-items return from one block do they all come by its stores.
    const bool one_end = count_if(function, [](const BasicBlock &block) {
                             return isa<ReturnInst, UnreachableInst>(block.getTerminator());
                         }) == 1;
    for (unsigned successor : {0u, 1u}) {
        BasicBlock *away = branch->getSuccessor(successor);
        if (!isa<ReturnInst>(away->getTerminator()) || !away->phis().empty())
            continue;
        std::vector<StoreInst *> stores;
        bool is_same = all_of(*away, [&](Instruction &instruction) {
            auto *store = dyn_cast<StoreInst>(&instruction);
            if (store)
                stores.push_back(store);
            return isa<ReturnInst>(instruction) ||
                   (store && store->isSimple() && is_recomputable(store->getValueOperand(), 1) &&
                    is_recomputable(store->getPointerOperand(), 1)) ||
                   is_recomputable(&instruction, 1);
        });
        takes_wraps_ = takes_wraps && stores.empty();
        if (!is_same || (!stores.empty() && (dimension > 0 || !one_end)) ||
            !take(branch->getCondition(), successor == 1, branch->getOperandUse(0)))
            continue;
        for (StoreInst *store : stores)
            store->removeFromParent();
        tail_ = std::move(stores);
        break;
    }
    // Limits stay, whatever is simplified before they are asked for.
    auto keep = [&](Value *&value) {
        if (!isa<Instruction>(value))
            return;
        Instruction *first = &*entry.getFirstInsertionPt();
        IRBuilder<> builder(first);
        DenseMap<Value *, Value *> known;
        value = recompute(builder, value, known);
        for (auto at = entry.getFirstInsertionPt(); &*at != first; ++at)
            kept_.push_back(&*at);
    };
    for (RowBound &bound : bounds_) {
        keep(bound.limit);
        for (RowBound::Addend &addend : bound.addends)
            keep(addend.value);
    }
    for (StoreInst *store : tail_)
        for (Use &operand : store->operands()) {
            Value *value = operand.get();
            keep(value);
            operand.set(value);
        }
    for (Instruction *instruction : kept_)
        instruction->removeFromParent();
}

RowBounds::~RowBounds() {
    for (StoreInst *store : tail_)
        store->dropAllReferences();
    for (Instruction *instruction : kept_)
        instruction->dropAllReferences();
    for (StoreInst *store : tail_)
        store->deleteValue();
    for (Instruction *instruction : kept_)
        instruction->deleteValue();
}

bool RowBounds::is_apart_from(const Argument &parameter) const {
    return tail_.empty() && none_of(bounds_, [&](const RowBound &bound) {
               return is_made_of(bound.limit, parameter) ||
                      any_of(bound.addends, [&](const RowBound::Addend &addend) {
                          return is_made_of(addend.value, parameter);
                      });
           });
}

std::pair<Value *, Value *> RowBounds::narrowed(IRBuilderBase &builder, Value *begin, Value *end,
                                                DenseMap<Value *, Value *> &parameters) const {
    if (bounds_.empty())
        return {begin, end};
    Type *wide = builder.getInt64Ty();
    Value *low = builder.CreateZExt(begin, wide);
    Value *high = builder.CreateZExt(end, wide);
    for (const RowBound &bound : bounds_) {
        Value *limit = limit_of(builder, bound, parameters);
        if (bound.may_wrap) {
            // The sum has wrapped from there on, or, as an unsigned one, until then.
            Value *late = builder.CreateICmpSGE(builder.CreateZExt(begin, wide),
                                                wrap_of(builder, bound, parameters));
            int64_t shift = int64_t(1) << 32;
            Value *shifted = builder.CreateAdd(
                limit, ConstantInt::getSigned(wide, bound.is_signed ? shift : -shift));
            limit = bound.is_signed ? builder.CreateSelect(late, shifted, limit)
                                    : builder.CreateSelect(late, limit, shifted);
        }
        Value *after = builder.CreateAdd(limit, builder.getInt64(1));
        auto lower = [&](Value *bound) {
            low = builder.CreateBinaryIntrinsic(Intrinsic::smax, low, bound);
        };
        auto upper = [&](Value *bound) {
            high = builder.CreateBinaryIntrinsic(Intrinsic::smin, high, bound);
        };
        switch (bound.holds) {
        case CmpInst::ICMP_EQ:
            lower(limit);
            upper(after);
            break;
        case CmpInst::ICMP_ULT:
        case CmpInst::ICMP_SLT:
            upper(limit);
            break;
        case CmpInst::ICMP_ULE:
        case CmpInst::ICMP_SLE:
            upper(after);
            break;
        case CmpInst::ICMP_UGT:
        case CmpInst::ICMP_SGT:
            lower(after);
            break;
        default: // UGE, SGE
            lower(limit);
            break;
        }
    }
    low = builder.CreateBinaryIntrinsic(Intrinsic::smin, low, builder.CreateZExt(end, wide));
    high = builder.CreateBinaryIntrinsic(Intrinsic::smax, high, low);
    return {builder.CreateTrunc(low, builder.getInt32Ty()),
            builder.CreateTrunc(high, builder.getInt32Ty())};
}

bool RowBounds::may_wrap() const {
    return any_of(bounds_, [](const RowBound &bound) { return bound.may_wrap; });
}

Value *RowBounds::part(IRBuilderBase &builder, Value *at, Value *end,
                       DenseMap<Value *, Value *> &parameters) const {
    Type *wide = builder.getInt64Ty();
    Value *low = builder.CreateZExt(at, wide);
    Value *high = builder.CreateZExt(end, wide);
    for (const RowBound &bound : bounds_)
        if (bound.may_wrap) {
            Value *wrap = wrap_of(builder, bound, parameters);
            Value *nearer = builder.CreateBinaryIntrinsic(Intrinsic::smin, high, wrap);
            high = builder.CreateSelect(builder.CreateICmpSLT(low, wrap), nearer, high);
        }
    return builder.CreateTrunc(high, at->getType());
}

void RowBounds::emit_tail(IRBuilderBase &builder, DenseMap<Value *, Value *> &parameters) const {
    for (StoreInst *store : tail_) {
        auto *copy = cast<StoreInst>(store->clone());
        for (unsigned i : {0u, 1u})
            copy->setOperand(i, recompute(builder, store->getOperand(i), parameters));
        builder.Insert(copy);
    }
}

} // namespace rivulet::compiler
