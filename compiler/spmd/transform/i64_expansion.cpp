// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/transform/i64_expansion.h"

#include <llvm/IR/IntrinsicInst.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

I64Pair each(IRBuilderBase &builder, Instruction::BinaryOps how, I64Pair a, I64Pair b) {
    return {builder.CreateBinOp(how, a.low, b.low), builder.CreateBinOp(how, a.high, b.high)};
}

I64Pair sum(IRBuilderBase &builder, I64Pair a, I64Pair b) {
    Value *low = builder.CreateAdd(a.low, b.low);
    Value *carry = builder.CreateZExt(builder.CreateICmpULT(low, a.low), low->getType());
    return {low, builder.CreateAdd(builder.CreateAdd(a.high, b.high), carry)};
}

I64Pair difference(IRBuilderBase &builder, I64Pair a, I64Pair b) {
    Value *low = builder.CreateSub(a.low, b.low);
    Value *borrow = builder.CreateZExt(builder.CreateICmpULT(a.low, b.low), low->getType());
    return {low, builder.CreateSub(builder.CreateSub(a.high, b.high), borrow)};
}

// The upper word of a product of two words, from products of their halves.
Value *upper_product(IRBuilderBase &builder, Value *a, Value *b) {
    auto lower = [&](Value *word) { return builder.CreateAnd(word, 0xffff); };
    auto upper = [&](Value *word) { return builder.CreateLShr(word, 16); };
    auto product = [&](Value *x, Value *y) { return builder.CreateMul(x, y); };
    Value *first = upper(product(lower(a), lower(b)));
    Value *second = builder.CreateAdd(product(upper(a), lower(b)), first);
    Value *third = builder.CreateAdd(product(lower(a), upper(b)), lower(second));
    Value *fourth = builder.CreateAdd(product(upper(a), upper(b)), upper(second));
    return builder.CreateAdd(fourth, upper(third));
}

I64Pair product(IRBuilderBase &builder, I64Pair a, I64Pair b) {
    Value *high = upper_product(builder, a.low, b.low);
    high = builder.CreateAdd(high, builder.CreateMul(a.low, b.high));
    high = builder.CreateAdd(high, builder.CreateMul(a.high, b.low));
    return {builder.CreateMul(a.low, b.low), high};
}

// By 0 … 63 bits. The word that bits leave is shifted by one more and once again, so that no word
// is ever shifted by 32.
I64Pair shifted(IRBuilderBase &builder, Instruction::BinaryOps how, I64Pair a, Value *by) {
    Value *none = builder.getInt32(0);
    Value *bits = builder.CreateAnd(by, 31);
    Value *rest = builder.CreateXor(bits, 31);
    Value *far = builder.CreateIsNotNull(builder.CreateAnd(by, 32));
    if (how == Instruction::Shl) {
        Value *left = builder.CreateLShr(builder.CreateLShr(a.low, 1), rest);
        Value *low = builder.CreateShl(a.low, bits);
        Value *high = builder.CreateOr(builder.CreateShl(a.high, bits), left);
        return choose_pair(builder, far, {none, low}, {low, high});
    }
    bool is_signed = how == Instruction::AShr;
    Value *left = builder.CreateShl(builder.CreateShl(a.high, 1), rest);
    Value *low = builder.CreateOr(builder.CreateLShr(a.low, bits), left);
    Value *high = builder.CreateBinOp(how, a.high, bits);
    Value *sign = is_signed ? builder.CreateAShr(a.high, 31) : none;
    return choose_pair(builder, far, {high, sign}, {low, high});
}

// Shifts a · 2^64 + b by 0 … 63: the upper 64 bits after a left shift, or the lower ones after a
// right shift.
I64Pair funnel(IRBuilderBase &builder, bool left, I64Pair a, I64Pair b, Value *by) {
    Value *rest = builder.CreateXor(by, 63);
    I64Pair one = left ? shifted(builder, Instruction::LShr, b, builder.getInt32(1))
                       : shifted(builder, Instruction::Shl, a, builder.getInt32(1));
    I64Pair upper = shifted(builder, Instruction::Shl, left ? a : one, left ? by : rest);
    I64Pair lower = shifted(builder, Instruction::LShr, left ? one : b, left ? rest : by);
    return each(builder, Instruction::Or, upper, lower);
}

// Zeros before the first one of `first`, which is followed by `second`.
Value *zeros(IRBuilderBase &builder, Intrinsic::ID function, Value *first, Value *second) {
    auto count = [&](Value *word) {
        return builder.CreateIntrinsic(function, {word->getType()}, {word, builder.getFalse()});
    };
    return builder.CreateSelect(builder.CreateIsNull(first),
                                builder.CreateAdd(count(second), builder.getInt32(32)),
                                count(first));
}

} // namespace

I64Pair choose_pair(IRBuilderBase &builder, Value *condition, I64Pair yes, I64Pair no) {
    return {builder.CreateSelect(condition, yes.low, no.low),
            builder.CreateSelect(condition, yes.high, no.high)};
}

std::optional<I64Pair> combine_pairs(IRBuilderBase &builder, Instruction::BinaryOps how, I64Pair a,
                                     I64Pair b) {
    switch (how) {
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
        return each(builder, how, a, b);
    case Instruction::Add:
        return sum(builder, a, b);
    case Instruction::Sub:
        return difference(builder, a, b);
    case Instruction::Mul:
        return product(builder, a, b);
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
        return shifted(builder, how, a, b.low);
    default:
        return std::nullopt;
    }
}

Value *compare_pairs(IRBuilderBase &builder, CmpInst::Predicate how, I64Pair a, I64Pair b) {
    if (ICmpInst::isEquality(how)) {
        Value *differs =
            builder.CreateOr(builder.CreateXor(a.low, b.low), builder.CreateXor(a.high, b.high));
        return builder.CreateICmp(how, differs, builder.getInt32(0));
    }
    return builder.CreateSelect(
        builder.CreateICmpEQ(a.high, b.high),
        builder.CreateICmp(ICmpInst::getUnsignedPredicate(how), a.low, b.low),
        builder.CreateICmp(how, a.high, b.high));
}

std::optional<I64Pair> call_on_pairs(IRBuilderBase &builder, Intrinsic::ID function,
                                     ArrayRef<I64Pair> operands) {
    Value *none = builder.getInt32(0);
    const I64Pair &a = operands[0];
    auto unary = [&](Intrinsic::ID id, Value *word) {
        return builder.CreateUnaryIntrinsic(id, word);
    };
    switch (function) {
    case Intrinsic::umin:
    case Intrinsic::umax:
    case Intrinsic::smin:
    case Intrinsic::smax:
        return choose_pair(
            builder,
            compare_pairs(builder, MinMaxIntrinsic::getPredicate(function), a, operands[1]), a,
            operands[1]);
    case Intrinsic::abs: {
        Value *negative = builder.CreateICmpSLT(a.high, none);
        return choose_pair(builder, negative, difference(builder, {none, none}, a), a);
    }
    case Intrinsic::bswap:
    case Intrinsic::bitreverse:
        return I64Pair{unary(function, a.high), unary(function, a.low)};
    case Intrinsic::ctpop:
        return I64Pair{builder.CreateAdd(unary(function, a.low), unary(function, a.high)), none};
    case Intrinsic::ctlz:
        return I64Pair{zeros(builder, function, a.high, a.low), none};
    case Intrinsic::cttz:
        return I64Pair{zeros(builder, function, a.low, a.high), none};
    case Intrinsic::fshl:
    case Intrinsic::fshr:
        return funnel(builder, function == Intrinsic::fshl, a, operands[1],
                      builder.CreateAnd(operands[2].low, 63));
    default:
        return std::nullopt;
    }
}

} // namespace rivulet::compiler
