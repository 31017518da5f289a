// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/collectives.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsRISCV.h>
#include <llvm/TargetParser/RISCVTargetParser.h>

namespace rivulet::compiler {

using namespace llvm;

// The register group that reductions and scans over a work-group take. work_group_reduce_add at
// VLEN 512: 0.5 instructions per work-item instead of 4.4 as a scalar loop, a scan 1.0 instead of
// 5.5.
constexpr unsigned collective_lmul = 8; // registers

namespace {

Constant *identity(Operation operation, Type *type, bool is_signed) {
    bool real = type->isFloatingPointTy();
    unsigned bits = type->getScalarSizeInBits();
    switch (operation) {
    case Operation::multiply:
        return real ? ConstantFP::get(type, 1) : ConstantInt::get(type, 1);
    case Operation::logical_and:
        return ConstantInt::get(type, 1);
    case Operation::bit_and:
        return Constant::getAllOnesValue(type);
    case Operation::min:
        if (real)
            return ConstantFP::getInfinity(type);
        return ConstantInt::get(type, is_signed ? APInt::getSignedMaxValue(bits)
                                                : APInt::getMaxValue(bits));
    case Operation::max:
        if (real)
            return ConstantFP::getInfinity(type, true);
        return ConstantInt::get(type, is_signed ? APInt::getSignedMinValue(bits)
                                                : APInt::getMinValue(bits));
    default:
        return Constant::getNullValue(type);
    }
}

// Logical operands are 0 or 1.
Value *combine(IRBuilderBase &builder, Operation operation, Value *a, Value *b, bool is_signed) {
    bool real = a->getType()->isFPOrFPVectorTy();
    switch (operation) {
    case Operation::add:
        return real ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
    case Operation::multiply:
        return real ? builder.CreateFMul(a, b) : builder.CreateMul(a, b);
    case Operation::bit_and:
    case Operation::logical_and:
        return builder.CreateAnd(a, b);
    case Operation::bit_or:
    case Operation::logical_or:
        return builder.CreateOr(a, b);
    case Operation::bit_xor:
    case Operation::logical_xor:
        return builder.CreateXor(a, b);
    case Operation::min:
        return builder.CreateBinaryIntrinsic(real        ? Intrinsic::minnum
                                             : is_signed ? Intrinsic::smin
                                                         : Intrinsic::umin,
                                             a, b);
    case Operation::max:
        return builder.CreateBinaryIntrinsic(real        ? Intrinsic::maxnum
                                             : is_signed ? Intrinsic::smax
                                                         : Intrinsic::umax,
                                             a, b);
    }
    llvm_unreachable("an operation without a row");
}

// The instruction that reduces a vector, if there is one.
Intrinsic::ID reduction(Operation operation, bool real, bool is_signed) {
    switch (operation) {
    case Operation::add: // 6.15.16: the order of floating-point operations is not guaranteed
        return real ? Intrinsic::vp_reduce_fadd : Intrinsic::vp_reduce_add;
    case Operation::multiply:
        return Intrinsic::not_intrinsic;
    case Operation::bit_and:
    case Operation::logical_and:
        return Intrinsic::vp_reduce_and;
    case Operation::bit_or:
    case Operation::logical_or:
        return Intrinsic::vp_reduce_or;
    case Operation::bit_xor:
    case Operation::logical_xor:
        return Intrinsic::vp_reduce_xor;
    case Operation::min:
        return real        ? Intrinsic::vp_reduce_fmin
               : is_signed ? Intrinsic::vp_reduce_smin
                           : Intrinsic::vp_reduce_umin;
    case Operation::max:
        return real        ? Intrinsic::vp_reduce_fmax
               : is_signed ? Intrinsic::vp_reduce_smax
                           : Intrinsic::vp_reduce_umax;
    }
    llvm_unreachable("an operation without a row");
}

// A loop over all operands, one at a time or in vectors.
class Collective {
public:
    Collective(IRBuilderBase &builder, const Boundary &boundary, Type *type)
        : builder_(builder), boundary_(boundary), type_(type),
          neutral_(identity(boundary.operation, type, boundary.is_signed)) {}

    // `address` gives an operand's address; returns what all of them come to.
    template <class Address, class Step> Value *run(Value *items, Address address, Step step) {
        BasicBlock *before = builder_.GetInsertBlock();
        BasicBlock *loop = block("collective");
        BasicBlock *after = block("collective.done");
        builder_.CreateBr(loop); // a group has at least one work-item
        builder_.SetInsertPoint(loop);
        PHINode *item = builder_.CreatePHI(items->getType(), 2);
        PHINode *so_far = builder_.CreatePHI(type_, 2);
        auto [result, count] =
            step(static_cast<Value *>(so_far), address(item), builder_.CreateNUWSub(items, item));
        Value *next = builder_.CreateAdd(item, count, "", true, true);
        item->addIncoming(builder_.getInt32(0), before);
        item->addIncoming(next, builder_.GetInsertBlock());
        so_far->addIncoming(neutral_, before);
        so_far->addIncoming(result, builder_.GetInsertBlock());
        builder_.CreateCondBr(builder_.CreateICmpULT(next, items), loop, after);
        builder_.SetInsertPoint(after);
        return result;
    }

    struct Step {
        Value *result; // with what was there so far
        Value *count;  // of operands that it took
    };

    Step one(Value *so_far, Value *pointer) {
        Value *result = both(so_far, builder_.CreateLoad(type_, pointer));
        if (boundary_.builtin != Builtin::reduce)
            builder_.CreateStore(is_inclusive() ? result : so_far, pointer);
        return {result, builder_.getInt32(1)};
    }

    Step strip(Value *so_far, Value *pointer, Value *left) {
        Intrinsic::ID reduces =
            boundary_.builtin == Builtin::reduce
                ? reduction(boundary_.operation, type_->isFloatingPointTy(), boundary_.is_signed)
                : Intrinsic::not_intrinsic;
        auto lanes = ElementCount::getScalable(64 * collective_lmul / type_->getScalarSizeInBits());
        wide_ = VectorType::get(type_, lanes);
        length_ = builder_.CreateIntrinsic(
            Intrinsic::experimental_get_vector_length, {left->getType()},
            {left, builder_.getInt32(lanes.getKnownMinValue()), builder_.getTrue()});
        Value *all = builder_.CreateVectorSplat(lanes, builder_.getTrue());
        Value *each = builder_.CreateIntrinsic(Intrinsic::vp_load, {wide_, pointer->getType()},
                                               {pointer, all, length_});
        if (reduces) {
            CallInst *result =
                builder_.CreateIntrinsic(reduces, {wide_}, {so_far, each, all, length_});
            if (reduces == Intrinsic::vp_reduce_fadd)
                result->setHasAllowReassoc(true);
            return {result, length_};
        }
        each = both(builder_.CreateVectorSplat(lanes, so_far), scanned(each));
        Value *last =
            builder_.CreateExtractElement(each, builder_.CreateSub(length_, builder_.getInt32(1)));
        if (boundary_.builtin != Builtin::reduce)
            builder_.CreateIntrinsic(
                Intrinsic::vp_store, {wide_, pointer->getType()},
                {is_inclusive() ? each : moved_up(each, so_far), pointer, all, length_});
        return {last, length_};
    }

private:
    BasicBlock *block(const Twine &name) {
        return BasicBlock::Create(builder_.getContext(), name,
                                  builder_.GetInsertBlock()->getParent());
    }
    bool is_inclusive() const { return boundary_.builtin == Builtin::scan_inclusive; }
    Value *both(Value *a, Value *b) {
        return combine(builder_, boundary_.operation, a, b, boundary_.is_signed);
    }
    Type *xlen() const {
        return builder_.GetInsertBlock()->getDataLayout().getIntPtrType(builder_.getContext());
    }
    Value *as_xlen(Value *value) { return builder_.CreateZExtOrTrunc(value, xlen()); }

    // Each lane with those before it: one, then two, four …
    Value *scanned(Value *each) {
        Value *neutral = builder_.CreateVectorSplat(wide_->getElementCount(), neutral_);
        BasicBlock *before = builder_.GetInsertBlock();
        BasicBlock *loop = block("scan");
        BasicBlock *after = block("scan.done");
        builder_.CreateBr(loop);
        builder_.SetInsertPoint(loop);
        PHINode *distance = builder_.CreatePHI(xlen(), 2);
        PHINode *sums = builder_.CreatePHI(wide_, 2);
        Value *length = as_xlen(length_);
        Value *earlier = builder_.CreateIntrinsic(
            Intrinsic::riscv_vslideup, {wide_, xlen()},
            {neutral, sums, distance, length, ConstantInt::get(xlen(), RISCVVType::TAIL_AGNOSTIC)});
        Value *result = both(earlier, sums);
        Value *twice = builder_.CreateShl(distance, 1);
        distance->addIncoming(ConstantInt::get(xlen(), 1), before);
        distance->addIncoming(twice, loop);
        sums->addIncoming(each, before);
        sums->addIncoming(result, loop);
        builder_.CreateCondBr(builder_.CreateICmpULT(twice, length), loop, after);
        builder_.SetInsertPoint(after);
        return result;
    }

    Value *moved_up(Value *each, Value *first) {
        return builder_.CreateIntrinsic(
            type_->isFloatingPointTy() ? Intrinsic::riscv_vfslide1up : Intrinsic::riscv_vslide1up,
            {wide_, type_, xlen()}, {PoisonValue::get(wide_), each, first, as_xlen(length_)});
    }

    IRBuilderBase &builder_;
    const Boundary &boundary_;
    Type *type_;
    Constant *neutral_;
    VectorType *wide_ = nullptr;
    Value *length_ = nullptr; // i32
};

bool has(const LegalElementTypes &elements, const Type &type) {
    return type.isHalfTy()        ? elements.f16
           : type.isDoubleTy()    ? elements.f64
           : type.isIntegerTy(64) ? elements.i64
                                  : true;
}

} // namespace

Value *run_collective(IRBuilderBase &builder, const Boundary &boundary, const LiveValue &operand,
                      const GroupValues &group, Value *index, const LegalElementTypes *elements) {
    auto address = [&](Value *linear_id) {
        return saved_address(builder, group.saved, group.full_items, linear_id, operand.offset,
                             operand.bytes);
    };
    if (boundary.builtin == Builtin::broadcast)
        return builder.CreateLoad(operand.type,
                                  address(builder.CreateTrunc(index, builder.getInt32Ty())));

    Collective collective(builder, boundary, operand.type);
    if (elements && has(*elements, *operand.type))
        return collective.run(group.items, address,
                              [&](Value *so_far, Value *pointer, Value *left) {
                                  return collective.strip(so_far, pointer, left);
                              });
    return collective.run(group.items, address, [&](Value *so_far, Value *pointer, Value *) {
        return collective.one(so_far, pointer);
    });
}

} // namespace rivulet::compiler
