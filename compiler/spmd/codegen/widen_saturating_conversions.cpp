// SPDX-License-Identifier: Apache-2.0
//
// Conversions from floating point that saturate, as RVV's do in any rounding mode.
#include "compiler/spmd/codegen/instruction_widener.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsRISCV.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

constexpr unsigned as_is = 7; // as frm says: to nearest even, unless it was changed

// The rounding mode (RISC-V F, 11.2) of a conversion that follows a rounding function.
std::optional<unsigned> mode_of(const Value *value) {
    auto *call = dyn_cast<IntrinsicInst>(value);
    switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
    case Intrinsic::rint:
    case Intrinsic::nearbyint:
        return as_is;
    case Intrinsic::roundeven:
        return 0;
    case Intrinsic::floor:
        return 2;
    case Intrinsic::ceil:
        return 3;
    case Intrinsic::round:
        return 4;
    default:
        return std::nullopt;
    }
}

} // namespace

// NaN becomes zero; without a sign, the maximum with zero does that anyway. A conversion to a
// quarter of the width goes through half of it.
Value *InstructionWidener::saturated(CallInst &conversion) {
    const bool is_signed = conversion.getIntrinsicID() == Intrinsic::fptosi_sat;
    if (count_.isFixed() || (!is_signed && conversion.getIntrinsicID() != Intrinsic::fptoui_sat))
        return nullptr;
    Value *source = conversion.getArgOperand(0);
    const unsigned from = source->getType()->getScalarSizeInBits();
    const unsigned to = conversion.getType()->getScalarSizeInBits();
    const unsigned by_way_of = std::max(to, from / 2);
    if (source->getType()->isHalfTy() || to > from || to < from / 4 || !isPowerOf2_32(to) ||
        registers(from / 8) > largest_lmul) // of sub-groups: LLVM splits its own
        return nullptr;
    auto mode = mode_of(source);
    Value *exact = vector(mode ? cast<CallInst>(source)->getArgOperand(0) : source);
    Value *zero = Constant::getNullValue(exact->getType());
    Value *nan = is_signed ? builder_.CreateFCmpUNO(exact, exact) : nullptr;
    Value *value =
        is_signed ? exact : builder_.CreateBinaryIntrinsic(Intrinsic::maxnum, exact, zero);
    // Unsigned or signed, towards zero or with a mode, and to the same or half the width.
    static constexpr Intrinsic::ID forms[2][2][2] = {
        {{Intrinsic::riscv_vfcvt_rtz_xu_f_v, Intrinsic::riscv_vfncvt_rtz_xu_f_w},
         {Intrinsic::riscv_vfcvt_xu_f_v, Intrinsic::riscv_vfncvt_xu_f_w}},
        {{Intrinsic::riscv_vfcvt_rtz_x_f_v, Intrinsic::riscv_vfncvt_rtz_x_f_w},
         {Intrinsic::riscv_vfcvt_x_f_v, Intrinsic::riscv_vfncvt_x_f_w}}};
    Type *xlen = index_type();
    Type *type = vector_of(builder_.getIntNTy(by_way_of));
    SmallVector<Value *, 4> operands{PoisonValue::get(type), value};
    if (mode)
        operands.push_back(ConstantInt::get(xlen, *mode));
    operands.push_back(builder_.CreateZExtOrTrunc(active.length, xlen));
    Value *result = builder_.CreateIntrinsic(forms[is_signed][mode.has_value()][by_way_of < from],
                                             {type, value->getType(), xlen}, operands);
    if (to < by_way_of) {
        auto limit = [&](const APInt &bound) {
            return ConstantInt::get(type,
                                    is_signed ? bound.sext(by_way_of) : bound.zext(by_way_of));
        };
        if (is_signed)
            result = builder_.CreateBinaryIntrinsic(Intrinsic::smax, result,
                                                    limit(APInt::getSignedMinValue(to)));
        result = builder_.CreateBinaryIntrinsic(
            is_signed ? Intrinsic::smin : Intrinsic::umin, result,
            limit(is_signed ? APInt::getSignedMaxValue(to) : APInt::getMaxValue(to)));
        result = builder_.CreateTrunc(result, vector_of(conversion.getType()));
    }
    return nan ? builder_.CreateSelect(nan, Constant::getNullValue(result->getType()), result)
               : result;
}

} // namespace rivulet::compiler
