// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/transform/id_delinearisation.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/spmd/analysis/entry_rematerialisation.h"
#include "compiler/work_items/parameters.h"
#include "compiler/work_items/work_item_loop.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

bool is_uniform(Value *value) { return is_recomputable(value, 1); }

const llvm::Argument *as_parameter(const Value *value, unsigned number) {
    auto *argument = dyn_cast<llvm::Argument>(value);
    return argument && argument->getArgNo() == number ? argument : nullptr;
}

bool is_product_with(const Value &product, const Value *factor) {
    const auto step = affine_step(product, Meaning::modulo);
    return step && step->is_product && (step->left == factor || step->right == factor);
}

} // namespace

// An id, or one less something that is the same for the whole row, such as where its plane begins.
// Not with something added, which is how rings have neighbours (border_peeling.h).
std::optional<DelinearisedIds::Dividend> DelinearisedIds::dividend(Value &value,
                                                                   const DataLayout &layout) {
    auto is_leaf = [](Value *part) { return !isa<Constant>(part) && is_uniform(part); };
    AffineExpressions sums(layout, {.leaves = 1, .is_leaf = is_leaf});
    const AffineSum &sum = sums.of(&value, Meaning::modulo);
    Dividend dividend{&value};
    unsigned ids = 0;
    for (const auto &[term, factor] : sum.terms) {
        auto [leaf, meaning] = sums.leaf(term.back());
        if (as_parameter(leaf, parameter::id) && factor == 1)
            ++ids;
        else if (is_uniform(leaf) &&
                 (factor < 0 || (factor == 1 && as_parameter(leaf, parameter::first_id))))
            dividend.parts.push_back({leaf, meaning != Meaning::as_unsigned, factor});
        else
            return std::nullopt;
    }
    return ids == 1 && sum.constant == 0 ? std::optional(dividend) : std::nullopt;
}

// An id is never negative: sizes are checked at enqueue.
bool DelinearisedIds::Dividend::is_id() const {
    return parts.empty() || (parts.size() == 1 && parts.front().factor > 0);
}

// Without the flags that the value had where it stood: a row may begin with work-items that never
// divide.
Value *DelinearisedIds::Dividend::at(IRBuilderBase &builder, Value *x, Parameters &known) const {
    Type *type = value->getType();
    Value *sum = builder.CreateZExtOrTrunc(x, type);
    for (const Part &part : parts) {
        Value *now =
            builder.CreateIntCast(recompute(builder, part.value, known), type, part.is_signed);
        if (part.factor > 0) {
            sum = builder.CreateAdd(sum, now);
            continue;
        }
        if (part.factor != -1)
            now = builder.CreateMul(now,
                                    ConstantInt::get(type, 0 - uint64_t(part.factor), false, true));
        sum = builder.CreateSub(sum, now);
    }
    return sum;
}

bool DelinearisedIds::always_hold() const {
    return isa<ConstantInt>(divisor_) && dividend_.is_id();
}

std::optional<DelinearisedIds::Division> DelinearisedIds::division(Instruction &instruction) {
    Value *dividend = nullptr;
    Value *divisor = nullptr;
    const APInt *number = nullptr;
    auto found = [&](Role role) { return Division{dividend, divisor, role}; };
    auto power = [&](unsigned bits) {
        divisor = ConstantInt::get(instruction.getType(),
                                   APInt::getOneBitSet(number->getBitWidth(), bits));
    };
    if (match(&instruction, m_IDiv(m_Value(dividend), m_Value(divisor))))
        return found(Role::quotient);
    if (match(&instruction, m_IRem(m_Value(dividend), m_Value(divisor))))
        return found(Role::remainder);
    const unsigned most = instruction.getType()->getScalarSizeInBits() - 1;
    if (match(&instruction, m_Shr(m_Value(dividend), m_APInt(number))) && number->ult(most)) {
        power(unsigned(number->getZExtValue()));
        return found(Role::quotient);
    }
    if (!match(&instruction, m_And(m_Value(dividend), m_APInt(number))))
        return std::nullopt;
    if (number->isMask() && number->popcount() < most) {
        power(number->popcount());
        return found(Role::remainder);
    }
    if (number->isNegatedPowerOf2() && number->countr_zero() < most) {
        power(number->countr_zero());
        return found(Role::multiple);
    }
    return std::nullopt;
}

std::optional<DelinearisedIds> DelinearisedIds::of(Function &work_item, unsigned least) {
    DelinearisedIds best;
    best.least_ = least;
    for (Instruction &instruction : instructions(work_item)) {
        Type *type = instruction.getType();
        if (!type->isIntegerTy(32) && !type->isIntegerTy(64))
            continue;
        auto known = division(instruction);
        auto consecutive = known && is_uniform(known->divisor)
                               ? dividend(*known->dividend, work_item.getDataLayout())
                               : std::nullopt;
        if (!consecutive)
            continue;
        if (auto *number = dyn_cast<ConstantInt>(known->divisor);
            number && number->getValue().slt(least))
            continue;
        // The widest of several divisors is a product of the others: parts of its parts come later.
        if (!best.divisor_ ||
            (known->divisor != best.divisor_ && is_product_with(*known->divisor, best.divisor_))) {
            best.uses_.clear();
            best.dividend_ = std::move(*consecutive);
            best.divisor_ = known->divisor;
        }
        if (known->dividend == best.dividend_.value && known->divisor == best.divisor_)
            best.uses_.push_back({&instruction, known->role});
    }
    return best.divisor_ ? std::optional(best) : std::nullopt;
}

Function *DelinearisedIds::part_of_row(Function &work_item) const {
    ValueToValueMapTy map;
    Function *part = clone_with_parameter(work_item, divisor_->getType(), ".part", map);
    llvm::Argument *quotient = part->getArg(unsigned(work_item.arg_size()));
    quotient->setName("quotient");
    auto in_part = [&](Value *value) {
        auto found = map.find(value);
        return found == map.end() ? value : static_cast<Value *>(found->second);
    };
    for (const Use &use : uses_) {
        auto *instruction = cast<Instruction>(in_part(use.instruction));
        IRBuilder<> builder(instruction);
        Value *value = quotient;
        if (use.role != Role::quotient)
            value = builder.CreateMul(quotient, in_part(divisor_), "", true, true);
        if (use.role == Role::remainder)
            value = builder.CreateSub(in_part(dividend_.value), value, "", true, true);
        instruction->replaceAllUsesWith(value);
        instruction->eraseFromParent();
    }
    return part;
}

Value *DelinearisedIds::divisor(IRBuilderBase &builder, const Parameters &parameters) const {
    Parameters known = parameters;
    return builder.CreateFreeze(recompute(builder, divisor_, known));
}

// No dividend of the row may be negative; where they wrap, one is.
Value *DelinearisedIds::holds(IRBuilderBase &builder, Value *begin, Value *end, Value *divisor,
                              const Parameters &parameters) const {
    Parameters known = parameters;
    Type *type = divisor->getType();
    Value *is_large = builder.CreateICmpSGE(divisor, ConstantInt::get(type, least_));
    if (dividend_.is_id())
        return is_large;
    Value *first = dividend_.at(builder, begin, known);
    Value *last = dividend_.at(builder, builder.CreateSub(end, builder.getInt32(1)), known);
    return builder.CreateAnd(
        is_large, builder.CreateICmpSGE(builder.CreateOr(first, last), ConstantInt::get(type, 0)));
}

DelinearisedIds::Part DelinearisedIds::part(IRBuilderBase &builder, Value *begin, Value *end,
                                            Value *divisor, const Parameters &parameters) const {
    Parameters known = parameters;
    Value *first = dividend_.at(builder, begin, known);
    Value *quotient = builder.CreateUDiv(first, divisor);
    Value *passed = builder.CreateSub(first, builder.CreateMul(quotient, divisor));
    Value *length = builder.CreateBinaryIntrinsic(
        Intrinsic::umin, builder.CreateSub(divisor, passed),
        builder.CreateZExt(builder.CreateSub(end, begin), divisor->getType()));
    return {quotient, builder.CreateAdd(begin, builder.CreateTrunc(length, builder.getInt32Ty()))};
}

} // namespace rivulet::compiler
