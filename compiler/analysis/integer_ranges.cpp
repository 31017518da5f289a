// SPDX-License-Identifier: Apache-2.0
#include "compiler/analysis/integer_ranges.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

// A range that has grown this often becomes the full one: it belongs to a counter or a sum. A
// loop's minimum or maximum settles after two iterations. A limit of compile time, not measured.
constexpr unsigned range_max_changes = 6; // times

// Operands deeper than this may be any number, because they are visited recursively. A limit of the
// compiler's own stack, not measured.
constexpr unsigned range_max_depth = 64; // operations

namespace {

using RangeOf = function_ref<ConstantRange(const Value &)>;

constexpr unsigned no_signed_wrap = OverflowingBinaryOperator::NoSignedWrap;
constexpr unsigned no_unsigned_wrap = OverflowingBinaryOperator::NoUnsignedWrap;

ConstantRange non_negative(unsigned bits) {
    return ConstantRange::getNonEmpty(APInt::getZero(bits), APInt::getSignedMinValue(bits));
}

// Two ranges may overlap in two places. The smaller result is taken then.
ConstantRange both(const ConstantRange &a, const ConstantRange &b) { return a.intersectWith(b); }

// a * m + b * (most - m), where m is at most `most`, is between a * most and b * most.
ConstantRange weighted_mean(const BinaryOperator &sum, RangeOf range_of) {
    for (unsigned side : {0u, 1u}) {
        auto *product = dyn_cast<BinaryOperator>(sum.getOperand(side));
        if (!product || product->getOpcode() != Instruction::Mul)
            continue;
        for (unsigned factor : {0u, 1u}) {
            Value *weight = product->getOperand(factor);
            Value *rest = nullptr;
            const APInt *most = nullptr;
            // most ^ m is most - m if `most` is a mask that covers m.
            if (!(match(weight, m_Sub(m_APInt(most), m_Value(rest))) ||
                  (match(weight, m_Xor(m_Value(rest), m_APInt(most))) && most->isMask())) ||
                most->isNegative() || range_of(*rest).getUnsignedMax().ugt(*most))
                continue;
            Value *other = nullptr;
            if (!match(sum.getOperand(1 - side), m_c_Mul(m_Specific(rest), m_Value(other))))
                continue;
            // Neither product is further from 0 than the larger one of a and b times `most`.
            const ConstantRange values = range_of(*product->getOperand(1 - factor))
                                             .unionWith(range_of(*other), ConstantRange::Signed);
            bool overflows = false;
            APInt least = values.getSignedMin().smul_ov(*most, overflows);
            if (overflows)
                continue;
            APInt largest = values.getSignedMax().smul_ov(*most, overflows);
            if (overflows || largest.isMaxSignedValue())
                continue;
            return ConstantRange::getNonEmpty(std::move(least), largest + 1);
        }
    }
    return ConstantRange::getFull(sum.getType()->getIntegerBitWidth());
}

ConstantRange of_binary(const BinaryOperator &operation, RangeOf range_of) {
    const ConstantRange left = range_of(*operation.getOperand(0));
    const ConstantRange right = range_of(*operation.getOperand(1));
    if (left.isEmptySet() || right.isEmptySet())
        return ConstantRange::getEmpty(left.getBitWidth());
    if (auto *wraps = dyn_cast<OverflowingBinaryOperator>(&operation)) {
        const ConstantRange range =
            left.overflowingBinaryOp(operation.getOpcode(), right, wraps->getNoWrapKind());
        return operation.getOpcode() == Instruction::Add
                   ? both(range, weighted_mean(operation, range_of))
                   : range;
    }
    const ConstantRange range = left.binaryOp(operation.getOpcode(), right);
    auto *bits_or = dyn_cast<PossiblyDisjointInst>(&operation);
    return bits_or && bits_or->isDisjoint() // a sum without carries
               ? both(range, left.addWithNoWrap(right, no_signed_wrap | no_unsigned_wrap))
               : range;
}

ConstantRange of_call(const IntrinsicInst &call, RangeOf range_of) {
    const unsigned bits = call.getType()->getIntegerBitWidth();
    if (!ConstantRange::isIntrinsicSupported(call.getIntrinsicID()))
        return ConstantRange::getFull(bits);
    SmallVector<ConstantRange, 3> operands;
    for (const Value *argument : call.args())
        operands.push_back(range_of(*argument));
    if (any_of(operands, [](const ConstantRange &operand) { return operand.isEmptySet(); }))
        return ConstantRange::getEmpty(bits);
    return ConstantRange::intrinsic(call.getIntrinsicID(), operands);
}

} // namespace

ConstantRange range_of_result(const Instruction &instruction, RangeOf range_of) {
    const unsigned bits = instruction.getType()->getIntegerBitWidth();
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
        return of_binary(*operation, range_of);
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
        return of_call(*call, range_of);
    switch (instruction.getOpcode()) {
    case Instruction::ZExt: {
        const ConstantRange narrow = range_of(*instruction.getOperand(0));
        return (instruction.hasNonNeg() ? both(narrow, non_negative(narrow.getBitWidth())) : narrow)
            .zeroExtend(bits);
    }
    case Instruction::SExt:
        return range_of(*instruction.getOperand(0)).signExtend(bits);
    case Instruction::Trunc:
        return range_of(*instruction.getOperand(0))
            .truncate(bits, cast<TruncInst>(instruction).getNoWrapKind());
    case Instruction::Select:
        return range_of(*instruction.getOperand(1)).unionWith(range_of(*instruction.getOperand(2)));
    case Instruction::PHI: {
        ConstantRange range = ConstantRange::getEmpty(bits);
        for (const Value *incoming : cast<PHINode>(instruction).incoming_values())
            range = range.unionWith(range_of(*incoming));
        return range;
    }
    default: // a freeze of poison is any number
        return ConstantRange::getFull(bits);
    }
}

ConstantRange ValueRanges::of(const Value &value) {
    if (auto known = ranges_.find(&value); known != ranges_.end())
        return known->second;
    const unsigned bits = value.getType()->getIntegerBitWidth();
    const ConstantRange all = ConstantRange::getFull(bits);
    if (depth_ == range_max_depth)
        return all;
    // A value that depends on itself through phis counts as any number there.
    ranges_.insert({&value, all});
    ++depth_;
    ConstantRange range = made_of(value);
    --depth_;
    if (range.isEmptySet())
        range = ConstantRange(APInt::getZero(bits));
    ranges_.insert_or_assign(&value, range);
    return range;
}

ConstantRange ValueRanges::made_of(const Value &value) {
    if (auto *constant = dyn_cast<ConstantInt>(&value))
        return constant->getValue();
    // LLVM knows about attributes, metadata and bits.
    ConstantRange range =
        both(computeConstantRange(&value, false), computeConstantRange(&value, true));
    const KnownBits bits = computeKnownBits(&value, layout_);
    if (!bits.hasConflict())
        for (bool is_signed : {false, true})
            range = both(range, ConstantRange::fromKnownBits(bits, is_signed));
    if (auto fact = fact_ ? fact_(value) : std::nullopt)
        range = both(range, *fact);
    auto *instruction = dyn_cast<Instruction>(&value);
    return instruction ? both(range, range_of_result(*instruction,
                                                     [&](const Value &part) { return of(part); }))
                       : range;
}

IntegerRanges::IntegerRanges(Function &function) {
    ReversePostOrderTraversal<Function *> order(&function);
    for (bool changed = true; changed;) {
        changed = false;
        for (BasicBlock *block : order)
            for (Instruction &instruction : *block) {
                if (!instruction.getType()->isIntegerTy())
                    continue;
                const unsigned bits = instruction.getType()->getIntegerBitWidth();
                State &state =
                    states_.try_emplace(&instruction, State{ConstantRange::getEmpty(bits)})
                        .first->second;
                if (state.range.isFullSet())
                    continue;
                ConstantRange range = computed(instruction).unionWith(state.range);
                if (range == state.range)
                    continue;
                state.range = ++state.changes > range_max_changes ? ConstantRange::getFull(bits)
                                                                  : std::move(range);
                changed = true;
            }
    }
}

ConstantRange IntegerRanges::of(const Value *value) const {
    ConstantRange range = known(*value);
    // The code is unreachable, or the value is always poison.
    return range.isEmptySet() ? ConstantRange::getFull(range.getBitWidth()) : range;
}

ConstantRange IntegerRanges::known(const Value &value) const {
    if (auto *constant = dyn_cast<ConstantInt>(&value))
        return ConstantRange(constant->getValue());
    const unsigned bits = value.getType()->getIntegerBitWidth();
    if (isa<PoisonValue>(value))
        return ConstantRange::getEmpty(bits);
    if (!isa<Instruction>(value))
        return ConstantRange::getFull(bits);
    auto found = states_.find(&value);
    return found == states_.end() ? ConstantRange::getEmpty(bits) : found->second.range;
}

// Operands have empty ranges until control flow has reached them.
ConstantRange IntegerRanges::computed(const Instruction &instruction) const {
    if (!isa<PHINode, SelectInst, CastInst, BinaryOperator, IntrinsicInst>(instruction))
        return computeConstantRange(&instruction, /*ForSigned=*/false);
    const ConstantRange range =
        range_of_result(instruction, [&](const Value &part) { return known(part); });
    // Masks and shifts may still bound the value.
    return range.isFullSet()
               ? ConstantRange::fromKnownBits(
                     computeKnownBits(&instruction, instruction.getDataLayout()), false)
               : range;
}

} // namespace rivulet::compiler
