// SPDX-License-Identifier: Apache-2.0
//
// Comparisons of ids with values that are the same in all lanes. What x + a is compared with is
// where the outcome changes: at one lane, whose number is a scalar. So lanes are compared by their
// numbers, of few bits. Without this, rows over bytes or halves compare ids of 32 bits, in two to
// four groups of eight registers, of which each makes a part of the mask.
#include "compiler/spmd/codegen/instruction_widener.h"

namespace rivulet::compiler {

using namespace llvm;

// The mask of lanes whose numbers are so related to `lane`, from 0 to the largest number of the
// type.
Value *InstructionWidener::lanes_by_number(CmpInst::Predicate predicate, Value *lane, Type *type) {
    return builder_.CreateICmp(
        predicate, builder_.CreateStepVector(vector_of(type)),
        builder_.CreateVectorSplat(count_, builder_.CreateTrunc(lane, type)));
}

// x + a == b holds in lane b - a - x, whatever wraps. Null for other comparisons.
Value *InstructionWidener::compared_equal(ICmpInst &compare) {
    const auto side = strides_.lane_side(compare);
    if (!side)
        return nullptr;
    // Branches on the lane and selects by the mask have to agree if a value is poison.
    Value *lane = builder_.CreateFreeze(builder_.CreateSub(scalar(compare.getOperand(1 - *side)),
                                                           scalar(compare.getOperand(*side))));
    Type *number = builder_.getInt16Ty();
    Value *mask =
        lanes_by_number(compare.getPredicate(),
                        builder_.CreateBinaryIntrinsic(
                            Intrinsic::umin, lane, ConstantInt::get(lane->getType(), UINT16_MAX)),
                        number);
    if (compare.getPredicate() == CmpInst::ICMP_EQ)
        only_lane_[mask] = lane;
    return mask;
}

// x + a < b holds in the lanes below b - a - x, and a - x < b in those from a - b + 1 on. In every
// lane whose value isn't poison, the compared value is the first one plus the lane's number, or
// less it, as numbers that don't wrap (StrideAnalysis::is_number()): signed or unsigned ones, as
// the comparison takes them. The first value is computed in 64 bits without flags, so it is right
// even where lane 0's own value would have wrapped, and the difference of two numbers of 32 bits
// and a lane's number doesn't wrap in 64. Limiting it to the numbers of lanes changes no outcome:
// there are fewer than 2^15 lanes (max_affine_step).
//
// Null where the row has elements of 32 bits: one comparison of those costs less than a change of
// vtype.
Value *InstructionWidener::compared_in_order(ICmpInst &compare) {
    const auto side = strides_.lane_side(compare);
    if (!side || widest_ > 16 || !compare.getOperand(0)->getType()->isIntegerTy(32))
        return nullptr;
    Value *value = compare.getOperand(*side);
    const int64_t step = strides_.of(value).step;
    if (std::abs(step) != 1)
        return nullptr;
    auto predicate = *side == 0 ? compare.getPredicate() : compare.getSwappedPredicate();
    const bool is_signed = compare.isSigned();
    Type *wide = builder_.getInt64Ty();
    Value *first = number(value, wide, is_signed);
    Value *limit = builder_.CreateIntCast(scalar(compare.getOperand(1 - *side)), wide, is_signed);
    if (step < 0) { // a - x < b is -a + x > -b
        predicate = CmpInst::getSwappedPredicate(predicate);
        std::swap(first, limit);
    }
    Value *lane = builder_.CreateSub(limit, first); // the first one at which the outcome changes
    if (ICmpInst::isLE(predicate) || ICmpInst::isGT(predicate))
        lane = builder_.CreateAdd(lane, ConstantInt::get(wide, 1));
    const uint64_t lanes = vscale_ ? count_.getKnownMinValue() * uint64_t(vscale_) : UINT16_MAX;
    Type *few = widest_ == 8 && lanes <= UINT8_MAX ? builder_.getInt8Ty() : builder_.getInt16Ty();
    lane = builder_.CreateBinaryIntrinsic(Intrinsic::smax, lane, ConstantInt::get(wide, 0));
    lane = builder_.CreateBinaryIntrinsic(
        Intrinsic::umin, lane,
        ConstantInt::get(wide, few->isIntegerTy(8) ? UINT8_MAX : UINT16_MAX));
    const bool holds_below = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
    return lanes_by_number(holds_below ? CmpInst::ICMP_ULT : CmpInst::ICMP_UGE, lane, few);
}

// Null if the values themselves have to be compared.
Value *InstructionWidener::compared(ICmpInst &compare) {
    return compare.isEquality() ? compared_equal(compare) : compared_in_order(compare);
}

} // namespace rivulet::compiler
