// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/transform/id_delinearisation.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/spmd/analysis/entry_rematerialisation.h"
#include "compiler/work_items/parameters.h"
#include "compiler/work_items/work_item_loop.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

bool is_uniform(Value *value) { return is_recomputable(value, 1); }

// An id is never negative: sizes are checked at enqueue.
bool is_id(Value *value) {
    auto is_parameter = [](Value *value, unsigned number) {
        auto *argument = dyn_cast<llvm::Argument>(value);
        return argument && argument->getArgNo() == number;
    };
    Value *left = value;
    Value *right = nullptr;
    match(value, m_ZExtOrSExt(m_Value(left)));
    if (!match(left, m_Add(m_Value(left), m_Value(right))))
        return is_parameter(left, parameter::id);
    return (is_parameter(left, parameter::id) && is_parameter(right, parameter::first_id)) ||
           (is_parameter(right, parameter::id) && is_parameter(left, parameter::first_id));
}

// An id, or one less something that is the same for the whole row, such as where its plane begins.
// Not with something added, which is how rings have neighbours (border_peeling.h).
bool is_consecutive(Value *value) {
    Value *left = nullptr;
    Value *right = nullptr;
    return is_id(value) || (match(value, m_Sub(m_Value(left), m_Value(right))) &&
                            is_consecutive(left) && is_uniform(right));
}

} // namespace

bool DelinearisedIds::always_hold() const { return isa<ConstantInt>(divisor_) && is_id(dividend_); }

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
        if (!known || !is_consecutive(known->dividend) || !is_uniform(known->divisor))
            continue;
        if (auto *number = dyn_cast<ConstantInt>(known->divisor);
            number && number->getValue().slt(least))
            continue;
        // The widest of several divisors is a product of the others: parts of its parts come later.
        if (!best.divisor_ ||
            (known->divisor != best.divisor_ &&
             match(known->divisor, m_c_Mul(m_Specific(best.divisor_), m_Value())))) {
            best.uses_.clear();
            best.dividend_ = known->dividend;
            best.divisor_ = known->divisor;
        }
        if (known->dividend == best.dividend_ && known->divisor == best.divisor_)
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
            value = builder.CreateSub(in_part(dividend_), value, "", true, true);
        instruction->replaceAllUsesWith(value);
        instruction->eraseFromParent();
    }
    return part;
}

// Computes the dividend again, without the flags that it had where it stood: a row may begin with
// work-items that never divide.
Value *DelinearisedIds::dividend(IRBuilderBase &builder, Value *value, Value *x,
                                 Parameters &known) {
    if (isa<llvm::Argument>(value) && cast<llvm::Argument>(value)->getArgNo() == 0)
        return x;
    if (is_uniform(value))
        return recompute(builder, value, known);
    auto *instruction = cast<Instruction>(value);
    auto part = [&](unsigned i) { return dividend(builder, instruction->getOperand(i), x, known); };
    switch (instruction->getOpcode()) {
    case Instruction::Add:
        return builder.CreateAdd(part(0), part(1));
    case Instruction::Sub:
        return builder.CreateSub(part(0), part(1));
    default: // an extension of x, which is below 2^31
        return builder.CreateZExt(part(0), value->getType());
    }
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
    if (is_id(dividend_))
        return is_large;
    Value *first = dividend(builder, dividend_, begin, known);
    Value *last = dividend(builder, dividend_, builder.CreateSub(end, builder.getInt32(1)), known);
    return builder.CreateAnd(
        is_large, builder.CreateICmpSGE(builder.CreateOr(first, last), ConstantInt::get(type, 0)));
}

DelinearisedIds::Part DelinearisedIds::part(IRBuilderBase &builder, Value *begin, Value *end,
                                            Value *divisor, const Parameters &parameters) const {
    Parameters known = parameters;
    Value *first = dividend(builder, dividend_, begin, known);
    Value *quotient = builder.CreateUDiv(first, divisor);
    Value *passed = builder.CreateSub(first, builder.CreateMul(quotient, divisor));
    Value *length = builder.CreateBinaryIntrinsic(
        Intrinsic::umin, builder.CreateSub(divisor, passed),
        builder.CreateZExt(builder.CreateSub(end, begin), divisor->getType()));
    return {quotient, builder.CreateAdd(begin, builder.CreateTrunc(length, builder.getInt32Ty()))};
}

} // namespace rivulet::compiler
