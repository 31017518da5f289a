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

// A range that has grown so often becomes the full one: it belongs to a counter or a sum. A loop's
// minimum or maximum settles after two iterations. A limit of compile time, not measured.
constexpr unsigned range_max_changes = 6; // times

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
    ConstantRange range = known(value);
    // Of unreachable code, or of what is always poison.
    return range.isEmptySet() ? ConstantRange::getFull(range.getBitWidth()) : range;
}

ConstantRange IntegerRanges::known(const Value *value) const {
    if (auto *constant = dyn_cast<ConstantInt>(value))
        return ConstantRange(constant->getValue());
    const unsigned bits = value->getType()->getIntegerBitWidth();
    if (isa<PoisonValue>(value))
        return ConstantRange::getEmpty(bits);
    if (!isa<Instruction>(value))
        return ConstantRange::getFull(bits);
    auto found = states_.find(value);
    return found == states_.end() ? ConstantRange::getEmpty(bits) : found->second.range;
}

ConstantRange IntegerRanges::weighted_mean(const BinaryOperator &sum) const {
    const unsigned bits = sum.getType()->getIntegerBitWidth();
    const ConstantRange full = ConstantRange::getFull(bits);
    for (unsigned side : {0u, 1u}) {
        auto *product = dyn_cast<BinaryOperator>(sum.getOperand(side));
        if (!product || product->getOpcode() != Instruction::Mul)
            continue;
        for (unsigned factor : {0u, 1u}) {
            Value *weight = product->getOperand(factor);
            Value *rest = nullptr;
            const APInt *most = nullptr;
            // most ^ m is most - m, where `most` is a mask that m is in.
            if (!(match(weight, m_Sub(m_APInt(most), m_Value(rest))) ||
                  (match(weight, m_Xor(m_Value(rest), m_APInt(most))) && most->isMask())) ||
                most->isNegative() || known(rest).getUnsignedMax().ugt(*most))
                continue;
            Value *other = nullptr;
            if (!match(sum.getOperand(1 - side), m_c_Mul(m_Specific(rest), m_Value(other))))
                continue;
            // Neither product is further from 0 than the larger one of a and b times `most`.
            const ConstantRange values = known(product->getOperand(1 - factor))
                                             .unionWith(known(other), ConstantRange::Signed);
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
    return full;
}

// From the operands' ranges, which are empty if control hasn't come to them yet.
ConstantRange IntegerRanges::computed(const Instruction &instruction) const {
    const unsigned bits = instruction.getType()->getIntegerBitWidth();
    if (auto *phi = dyn_cast<PHINode>(&instruction)) {
        ConstantRange range = ConstantRange::getEmpty(bits);
        for (const Value *value : phi->incoming_values())
            range = range.unionWith(known(value));
        return range;
    }
    if (auto *select = dyn_cast<SelectInst>(&instruction))
        return known(select->getTrueValue()).unionWith(known(select->getFalseValue()));
    ConstantRange range = ConstantRange::getFull(bits);
    if (auto *cast = dyn_cast<CastInst>(&instruction); cast && cast->isIntegerCast()) {
        range = known(cast->getOperand(0)).castOp(cast->getOpcode(), bits);
    } else if (auto *operation = dyn_cast<BinaryOperator>(&instruction)) {
        const ConstantRange left = known(operation->getOperand(0));
        const ConstantRange right = known(operation->getOperand(1));
        auto *wrapping = dyn_cast<OverflowingBinaryOperator>(operation);
        range = wrapping ? left.overflowingBinaryOp(operation->getOpcode(), right,
                                                    wrapping->getNoWrapKind())
                         : left.binaryOp(operation->getOpcode(), right);
    } else if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
               call && ConstantRange::isIntrinsicSupported(call->getIntrinsicID())) {
        SmallVector<ConstantRange, 3> operands;
        for (const Value *operand : call->args())
            operands.push_back(known(operand));
        if (any_of(operands, [](const ConstantRange &operand) { return operand.isEmptySet(); }))
            return ConstantRange::getEmpty(bits);
        range = ConstantRange::intrinsic(call->getIntrinsicID(), operands);
    } else {
        return computeConstantRange(&instruction, /*ForSigned=*/false);
    }
    if (instruction.getOpcode() == Instruction::Add)
        range = range.intersectWith(weighted_mean(cast<BinaryOperator>(instruction)));
    // What masks and shifts leave of it, maybe.
    return range.isFullSet()
               ? ConstantRange::fromKnownBits(
                     computeKnownBits(&instruction, instruction.getDataLayout()), false)
               : range;
}

} // namespace rivulet::compiler
