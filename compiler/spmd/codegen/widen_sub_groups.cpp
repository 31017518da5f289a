// SPDX-License-Identifier: Apache-2.0
//
// Sub-group functions between the lanes of one vector. Inactive lanes may hold anything, and take
// no part.
#include "compiler/spmd/codegen/instruction_widener.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsRISCV.h>

#include "compiler/spmd/analysis/sub_group_calls.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

constexpr uint64_t scope_work_group = 1; // memory_scope_… of OpenCL C
constexpr uint64_t scope_all_svm_devices = 3;

// Work-items of one hart need no fence among themselves.
bool wants_fence(const CallInst &barrier) {
    if (barrier.arg_size() < 2)
        return false;
    auto *scope = dyn_cast<ConstantInt>(barrier.getArgOperand(1));
    return !scope || (scope->getZExtValue() > scope_work_group &&
                      scope->getZExtValue() <= scope_all_svm_devices);
}

Intrinsic::ID reduction(const SubGroupCall &call, const Type *type) {
    bool real = type->isFloatingPointTy();
    switch (call.operation) {
    case SubGroupCall::min:
        return real             ? Intrinsic::vp_reduce_fmin
               : call.is_signed ? Intrinsic::vp_reduce_smin
                                : Intrinsic::vp_reduce_umin;
    case SubGroupCall::max:
        return real             ? Intrinsic::vp_reduce_fmax
               : call.is_signed ? Intrinsic::vp_reduce_smax
                                : Intrinsic::vp_reduce_umax;
    case SubGroupCall::bit_and:
        return Intrinsic::vp_reduce_and;
    case SubGroupCall::bit_or:
        return Intrinsic::vp_reduce_or;
    case SubGroupCall::bit_xor:
        return Intrinsic::vp_reduce_xor;
    default:
        return real ? Intrinsic::vp_reduce_fadd : Intrinsic::vp_reduce_add;
    }
}

} // namespace

Value *InstructionWidener::lane_numbers() {
    return builder_.CreateStepVector(vector_of(builder_.getInt16Ty()));
}

Value *InstructionWidener::running() {
    bool full = vscale_ * count_.getKnownMinValue() == sub_group_;
    if (auto *length = dyn_cast<ConstantInt>(active.length);
        length && full && length->equalsInt(sub_group_))
        return mask_or_all();
    Value *below = builder_.CreateICmpULT(
        lane_numbers(), builder_.CreateVectorSplat(
                            count_, builder_.CreateTrunc(active.length, builder_.getInt16Ty())));
    return active.mask ? both(active.mask, below) : below;
}

// The first of the active lanes.
Value *InstructionWidener::first_lane() {
    if (!active.mask)
        return builder_.getInt32(0);
    return builder_.CreateIntrinsic(Intrinsic::experimental_cttz_elts,
                                    {builder_.getInt32Ty(), active.mask->getType()},
                                    {running(), builder_.getFalse()});
}

Value *InstructionWidener::read_lane(Value *value, Value *lane) {
    if (strides_.uniform(value))
        return scalar(value);
    lane = builder_.CreateAnd(lane, ConstantInt::get(lane->getType(), sub_group_ - 1));
    return builder_.CreateExtractElement(vector(value), lane);
}

// Lane i gets the value of lane lanes[i]. So do inactive lanes, which others may read later.
Value *InstructionWidener::gathered(Value *wide, Value *lanes) {
    auto *type = cast<VectorType>(wide->getType())->getElementType();
    unsigned bits = type->getScalarSizeInBits();
    if (count_.isScalable() && bits * count_.getKnownMinValue() <= most_register_bits) {
        Type *xlen = builder_.GetInsertBlock()->getDataLayout().getIntPtrType(type->getContext());
        Value *length = ConstantInt::get(xlen, sub_group_);
        Type *number = bits == 8 ? builder_.getInt8Ty() : builder_.getInt16Ty();
        lanes = builder_.CreateZExtOrTrunc(lanes, vector_of(number));
        return builder_.CreateIntrinsic(
            bits == 8 ? Intrinsic::riscv_vrgather_vv : Intrinsic::riscv_vrgatherei16_vv,
            {wide->getType(), xlen}, {PoisonValue::get(wide->getType()), wide, lanes, length});
    }
    Type *word = vector_of(builder_.getInt32Ty());
    lanes = builder_.CreateZExtOrTrunc(lanes, word);
    lanes = builder_.CreateAnd(lanes, ConstantInt::get(word, sub_group_ - 1));
    lanes = builder_.CreateMul(lanes, ConstantInt::get(word, bits / 8));
    Value *memory = buffer(type);
    builder_.CreateStore(wide, memory);
    Value *from = builder_.CreateGEP(builder_.getInt8Ty(), memory,
                                     builder_.CreateZExt(lanes, vector_of(index_type())));
    return builder_.CreateIntrinsic(Intrinsic::vp_gather, {wide->getType(), from->getType()},
                                    {from, all_lanes(), builder_.getInt32(sub_group_)});
}

// The active lanes as bits of an integer, without those whose predicate is zero.
Value *InstructionWidener::ballot(Value *predicate, uint64_t part) {
    Value *votes = both(running(), builder_.CreateIsNotNull(vector(predicate)));
    Type *bits = FixedVectorType::get(builder_.getInt1Ty(), sub_group_);
    if (votes->getType() != bits)
        votes = builder_.CreateExtractVector(bits, votes, uint64_t(0));
    Value *number = builder_.CreateBitCast(votes, builder_.getIntNTy(sub_group_));
    if (part * 64 >= sub_group_)
        return builder_.getInt64(0);
    return builder_.CreateZExtOrTrunc(builder_.CreateLShr(number, part * 64),
                                      builder_.getInt64Ty());
}

// The operand of a reduction or scan.
Value *InstructionWidener::masked_operand(Value *value, const SubGroupCall &call) {
    Value *wide = vector(value);
    if (call.is_logical)
        wide = builder_.CreateZExt(builder_.CreateIsNotNull(wide), wide->getType());
    return wide;
}

Value *InstructionWidener::with_identity(Value *wide, const SubGroupCall &call, Type *type) {
    Value *neutral = builder_.CreateVectorSplat(count_, identity(call, type));
    return builder_.CreateSelect(running(), wide, neutral);
}

Value *InstructionWidener::reduced(Value *wide, const SubGroupCall &call, Type *type) {
    Value *neutral = identity(call, type);
    if (call.operation == SubGroupCall::mul) { // RVV has no such reduction
        wide = with_identity(wide, call, type);
        Value *neutrals = builder_.CreateVectorSplat(count_, neutral);
        for (unsigned distance = sub_group_ / 2; distance > 0; distance /= 2)
            wide = combine(builder_, call, wide,
                           builder_.CreateVectorSplice(wide, neutrals, int(distance)));
        return builder_.CreateExtractElement(wide, uint64_t(0));
    }
    CallInst *result = builder_.CreateIntrinsic(reduction(call, type), {wide->getType()},
                                                {neutral, wide, mask_or_all(), active.length});
    if (isa<FPMathOperator>(result)) // in any order (6.15.19.5)
        result->setHasAllowReassoc(true);
    return result;
}

// Each lane combines with the one at a distance below it, which doubles in each step.
Value *InstructionWidener::scanned(Value *wide, const SubGroupCall &call, Type *type) {
    Value *neutral = builder_.CreateVectorSplat(count_, identity(call, type));
    auto shifted = [&](unsigned distance) {
        return builder_.CreateVectorSplice(neutral, wide, -int(distance));
    };
    wide = with_identity(wide, call, type);
    if (call.function == SubGroupCall::scan_exclusive)
        wide = shifted(1);
    for (unsigned distance = 1; distance < sub_group_; distance *= 2)
        wide = combine(builder_, call, shifted(distance), wide);
    return wide;
}

// Butterflies within clusters: a power of two, at most the sub-group's size.
Value *InstructionWidener::clustered(Value *wide, const SubGroupCall &call, Type *type,
                                     Value *size) {
    wide = with_identity(wide, call, type);
    Value *lanes = lane_numbers();
    for (unsigned distance = 1; distance < sub_group_; distance *= 2) {
        Value *other =
            gathered(wide, builder_.CreateXor(lanes, ConstantInt::get(lanes->getType(), distance)));
        Value *wanted = builder_.CreateICmpULT(ConstantInt::get(size->getType(), distance), size);
        wide = builder_.CreateSelect(wanted, combine(builder_, call, wide, other), wide);
    }
    return wide;
}

// Numbers of 64 bits in two words have no vectors: goes through the lanes one by one.
void InstructionWidener::emit_serialised(CallInst &call, const SubGroupCall &sub_group,
                                         Value *cluster) {
    LLVMContext &context = builder_.getContext();
    Type *word = builder_.getInt32Ty();
    Type *bits = builder_.getInt64Ty();
    Type *type = sub_group.is_double ? builder_.getDoubleTy() : bits;
    Value *low = store_lanes(vector(call.getArgOperand(0)));
    Value *high = store_lanes(vector(call.getArgOperand(1)));
    Value *mask = active.mask ? store_lanes(active.mask) : nullptr;
    AllocaInst *results = buffer(bits);
    BasicBlock *before = builder_.GetInsertBlock();
    auto *head = BasicBlock::Create(context, "iteration", before->getParent());
    auto *done = BasicBlock::Create(context, "iteration.done", before->getParent());
    builder_.CreateBr(head);
    builder_.SetInsertPoint(head);
    PHINode *lane = builder_.CreatePHI(word, 2, "lane");
    PHINode *total = builder_.CreatePHI(type, 2, "total");
    Value *last = cluster ? builder_.CreateSub(cluster, ConstantInt::get(word, 1)) : nullptr;
    Value *sum = total;
    if (cluster)
        sum = builder_.CreateSelect(builder_.CreateIsNull(builder_.CreateAnd(lane, last)),
                                    identity(sub_group, type), sum);
    Value *value = builder_.CreateOr(
        builder_.CreateZExt(load_lane(low, word, lane), bits),
        builder_.CreateShl(builder_.CreateZExt(load_lane(high, word, lane), bits), 32));
    Value *next = combine(builder_, sub_group, sum, builder_.CreateBitCast(value, type));
    if (mask)
        next = builder_.CreateSelect(load_lane(mask, builder_.getInt1Ty(), lane), next, sum);
    builder_.CreateStore(sub_group.function == SubGroupCall::scan_exclusive ? sum : next,
                         builder_.CreateInBoundsGEP(bits, results, lane));
    Value *following = builder_.CreateAdd(lane, builder_.getInt32(1), "", true, true);
    lane->addIncoming(builder_.getInt32(0), before);
    lane->addIncoming(following, head);
    total->addIncoming(identity(sub_group, type), before);
    total->addIncoming(next, head);
    builder_.CreateCondBr(builder_.CreateICmpULT(following, active.length), head, done);
    builder_.SetInsertPoint(done);

    Value *whole = PoisonValue::get(call.getType());
    if (same_in_all_lanes(sub_group)) {
        value = builder_.CreateBitCast(next, bits);
        for (unsigned i : {0u, 1u})
            whole = builder_.CreateInsertValue(
                whole, builder_.CreateTrunc(builder_.CreateLShr(value, 32 * i), word), i);
        scalars_[&call] = whole;
        return;
    }
    Type *words = vector_of(word);
    Value *from = builder_.CreateStepVector(words);
    if (cluster) { // its last lane has the total
        Value *end = builder_.CreateSub(active.length, builder_.getInt32(1));
        from = builder_.CreateOr(from, builder_.CreateVectorSplat(count_, last));
        from = builder_.CreateBinaryIntrinsic(Intrinsic::umin, from,
                                              builder_.CreateVectorSplat(count_, end));
    }
    whole = PoisonValue::get(vector_of(call.getType()));
    from = builder_.CreateZExtOrTrunc(builder_.CreateMul(from, ConstantInt::get(words, 8)),
                                      vector_of(index_type()));
    for (unsigned i : {0u, 1u}) {
        Value *word_addresses = builder_.CreateGEP(
            builder_.getInt8Ty(),
            builder_.CreateConstInBoundsGEP1_32(builder_.getInt8Ty(), results, 4 * i), from);
        whole = builder_.CreateInsertValue(
            whole,
            builder_.CreateIntrinsic(Intrinsic::vp_gather, {words, word_addresses->getType()},
                                     {word_addresses, all_lanes(), active.length}),
            i);
    }
    vectors_[&call] = whole;
}

void InstructionWidener::emit_sub_group(CallInst &call, const SubGroupCall &sub_group) {
    Type *type = call.getType();
    auto operand = [&](unsigned i) { return call.getArgOperand(i); };
    // The value is the same for all active lanes, even where the analysis can't tell.
    auto uniform_scalar = [&](Value *value) {
        return strides_.uniform(value) ? scalar(value) : read_lane(value, first_lane());
    };
    auto truth = [&](Value *bit) { return builder_.CreateZExt(bit, type); };
    if (type->isStructTy()) {
        bool in_clusters = sub_group.function == SubGroupCall::clustered_reduce;
        emit_serialised(call, sub_group, in_clusters ? uniform_scalar(operand(2)) : nullptr);
        return;
    }
    switch (sub_group.function) {
    case SubGroupCall::local_id:
        scalars_[&call] = builder_.getInt32(0);
        materialise_affine(&call);
        return;
    case SubGroupCall::id:
        scalars_[&call] = builder_.CreateLShr(scalar(operand(0)), Log2_32(sub_group_));
        return;
    case SubGroupCall::barrier: // all lanes have come as far as this
        if (wants_fence(call))
            builder_.CreateFence(AtomicOrdering::AcquireRelease);
        return;
    case SubGroupCall::any:
        scalars_[&call] =
            truth(any(both(active.mask, builder_.CreateIsNotNull(vector(operand(0))))));
        return;
    case SubGroupCall::all:
        scalars_[&call] = truth(
            builder_.CreateNot(any(both(active.mask, builder_.CreateIsNull(vector(operand(0)))))));
        return;
    case SubGroupCall::elect: {
        Value *first = builder_.CreateTrunc(first_lane(), builder_.getInt16Ty());
        Value *is_first =
            builder_.CreateICmpEQ(lane_numbers(), builder_.CreateVectorSplat(count_, first));
        vectors_[&call] = builder_.CreateZExt(is_first, vector_of(type));
        return;
    }
    case SubGroupCall::ballot:
        scalars_[&call] = ballot(operand(0), cast<ConstantInt>(operand(1))->getZExtValue());
        return;
    case SubGroupCall::broadcast:
        scalars_[&call] = read_lane(operand(0), uniform_scalar(operand(1)));
        return;
    case SubGroupCall::broadcast_first:
        scalars_[&call] = read_lane(operand(0), first_lane());
        return;
    case SubGroupCall::shuffle: {
        Value *source = vector(operand(0));
        // An inactive lane holds what its register held before: others get zero for it. A merge by
        // length costs no more than a copy of the zeros; a mask would have to be compared first.
        if (!strides_.uniform(operand(0)))
            source = gathered(builder_.CreateIntrinsic(Intrinsic::vp_merge, {source->getType()},
                                                       {mask_or_all(), source,
                                                        Constant::getNullValue(source->getType()),
                                                        active.length}),
                              vector(operand(1)));
        vectors_[&call] = source;
        return;
    }
    case SubGroupCall::reduce:
        scalars_[&call] = reduced(masked_operand(operand(0), sub_group), sub_group, type);
        return;
    case SubGroupCall::scan_inclusive:
    case SubGroupCall::scan_exclusive:
        vectors_[&call] = scanned(masked_operand(operand(0), sub_group), sub_group, type);
        return;
    case SubGroupCall::clustered_reduce:
        vectors_[&call] = clustered(masked_operand(operand(0), sub_group), sub_group, type,
                                    uniform_scalar(operand(1)));
        return;
    }
}

} // namespace rivulet::compiler
