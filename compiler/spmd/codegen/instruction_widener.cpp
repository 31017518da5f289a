// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/codegen/instruction_widener.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsRISCV.h>

#include "compiler/analysis/fp_sign_bit_facts.h"
#include "compiler/analysis/limits.h"
#include "compiler/analysis/sub_group_functions.h"
#include "compiler/lowering/mulhi_lowering.h"
#include "compiler/lowering/rounding_modes.h"
#include "compiler/spmd/analysis/global_ids.h"
#include "compiler/spmd/analysis/interleaved_arrays.h"
#include "compiler/spmd/analysis/sub_group_calls.h"
#include "compiler/spmd/transform/outlined_scalar_ops.h"
#include "compiler/work_items/launch_end.h"

namespace rivulet::compiler {

using namespace llvm;

Type *InstructionWidener::vector_of(Type *type) const {
    if (auto *structure = dyn_cast<StructType>(type)) {
        SmallVector<Type *> parts;
        for (Type *part : structure->elements())
            parts.push_back(vector_of(part));
        return StructType::get(type->getContext(), parts);
    }
    return VectorType::get(type, count_);
}

Value *InstructionWidener::all_lanes() const {
    return ConstantInt::getTrue(vector_of(builder_.getInt1Ty()));
}

Value *InstructionWidener::no_lanes() const {
    return ConstantInt::getFalse(vector_of(builder_.getInt1Ty()));
}

// Sets VL. At least one work-item must be left. Avoids get.vector.length, which may set another
// vtype than the next instructions need.
Value *InstructionWidener::set_length(Value *left, unsigned bits) {
    Type *xlen = left->getType();
    // The fields of vtype: RISC-V V 1.0, 3.4.
    unsigned eighths = bits * count_.getKnownMinValue() / 8;
    unsigned lmul = eighths >= 8 ? Log2_32(eighths / 8) : 8 - Log2_32(8 / eighths);
    CallInst *length = builder_.CreateIntrinsic(
        Intrinsic::riscv_vsetvli, {xlen},
        {left, ConstantInt::get(xlen, Log2_32(bits / 8)), ConstantInt::get(xlen, lmul)});
    // VL is never 0, so a row that turns out to be one work-item has no loop.
    APInt zero(xlen->getIntegerBitWidth(), 0);
    length->addRangeRetAttr(ConstantRange(zero + 1, zero));
    return length;
}

Value *InstructionWidener::any(Value *mask) {
    if (Value *lane = only_lane_.lookup(mask))
        return builder_.CreateICmpULT(lane,
                                      builder_.CreateZExtOrTrunc(active.length, lane->getType()));
    if (auto others = other_lanes_.lookup(mask); others.size() == 1)
        return builder_.CreateOr(builder_.CreateIsNotNull(others[0]),
                                 builder_.CreateICmpNE(active.length, builder_.getInt32(1)));
    return builder_.CreateIntrinsic(Intrinsic::vp_reduce_or, {mask->getType()},
                                    {builder_.getFalse(), mask, all_lanes(), active.length});
}

// Frozen, because b may be poison where a is false.
Value *InstructionWidener::both(Value *a, Value *b) {
    if (!a)
        return b;
    Value *result = builder_.CreateAnd(a, builder_.CreateFreeze(b));
    auto others = other_lanes_.lookup(a);
    if (others.empty())
        return result;
    if (Value *lane = only_lane_.lookup(b)) {
        if (any_of(others, [&](Value *other) { return other->getType() != lane->getType(); }))
            return result;
        for (Value *other : others)
            lane = builder_.CreateSelect(builder_.CreateICmpEQ(lane, other),
                                         Constant::getAllOnesValue(lane->getType()), lane);
        only_lane_[result] = lane;
    } else if (auto more = other_lanes_.lookup(b); !more.empty()) {
        append_range(others, more);
        other_lanes_[result] = std::move(others);
    }
    return result;
}

Value *InstructionWidener::inverted(Value *mask) {
    Value *result = builder_.CreateNot(mask);
    if (Value *lane = only_lane_.lookup(mask))
        other_lanes_[result] = {lane};
    return result;
}

Value *InstructionWidener::scalar(Value *value) {
    if (is_part_of_lane_function(value))
        return value;
    Value *found = scalars_.lookup(value);
    assert(found && "a value is used before it was emitted");
    return found;
}

void InstructionWidener::describe(const DbgVariableRecord &record) {
    if (!record.isDbgValue() || record.getNumVariableLocationOps() != 1)
        return;
    Value *value = record.getVariableLocationOp(0);
    Value *same = isa<Constant>(value)      ? value
                  : strides_.uniform(value) ? scalars_.lookup(value)
                                            : nullptr;
    auto *copy = cast<DbgVariableRecord>(record.clone());
    if (same)
        copy->replaceVariableLocationOp(0u, same);
    else
        copy->setKillLocation();
    builder_.GetInsertBlock()->insertDbgRecordBefore(copy, builder_.GetInsertPoint());
}

Value *InstructionWidener::vector(Value *value) {
    if (Value *found = vectors_.lookup(value))
        return found;
    Value *one = scalar(value);
    return builder_.CreateVectorSplat(count_, one);
}

// The integer type of an index: as wide as a pointer.
Type *InstructionWidener::index_type() const {
    return builder_.GetInsertBlock()->getDataLayout().getIntPtrType(builder_.getContext());
}

// The distance from one lane to the next.
Value *InstructionWidener::stride(const Stride &shape, Type *integer) {
    Value *step = ConstantInt::getSigned(integer, shape.step, /*ImplicitTrunc=*/true);
    if (!shape.scale)
        return step;
    return builder_.CreateMul(builder_.CreateSExtOrTrunc(scalar(shape.scale), integer), step);
}

Value *InstructionWidener::steps(Type *integer, const Stride &shape) {
    Value *numbers = builder_.CreateStepVector(vector_of(integer));
    if (shape.step == 1 && !shape.scale)
        return numbers;
    return builder_.CreateMul(numbers, builder_.CreateVectorSplat(count_, stride(shape, integer)));
}

void InstructionWidener::materialise_affine(const Value *value) {
    Stride shape = strides_.of(value);
    Value *first = scalars_.lookup(value);
    Type *type = value->getType();
    if (type->isPointerTy()) {
        // RVV's indices may have 32 bits.
        Value *offsets =
            shape.scale || std::abs(shape.step) > max_affine_step
                ? steps(index_type(), shape)
                : builder_.CreateSExt(steps(builder_.getInt32Ty(), shape), vector_of(index_type()));
        vectors_[value] = builder_.CreateGEP(builder_.getInt8Ty(), first, offsets);
        return;
    }
    vectors_[value] =
        builder_.CreateAdd(builder_.CreateVectorSplat(count_, first), steps(type, shape));
}

bool InstructionWidener::unsafe_with_empty_mask(const Instruction &instruction) const {
    if (instruction.isTerminator() || isa<PHINode, AllocaInst>(instruction))
        return false;
    if (auto *load = dyn_cast<LoadInst>(&instruction))
        return strides_.uniform(load->getPointerOperand());
    if (auto *store = dyn_cast<StoreInst>(&instruction))
        return strides_.uniform(store->getPointerOperand());
    if (is_counting(instruction))
        return true;
    if (auto *call = dyn_cast<CallInst>(&instruction); call && ends_launch(*call))
        return true;
    if (calls_sub_group_function(instruction))
        return true;
    if (isa<FenceInst>(instruction) || sub_group_call(instruction))
        return false;
    if (is_reduction(instruction) || is_row_call(instruction))
        return true;
    return strides_.uniform(&instruction) && !isSafeToSpeculativelyExecute(&instruction);
}

// Allocates so many bytes of stack for each lane. The size is fixed if the vector length is known.
AllocaInst *InstructionWidener::lane_memory(IRBuilder<> &builder, uint64_t bytes, Align align) {
    uint64_t units = divideCeil(bytes * count_.getKnownMinValue(), 8);
    Type *unit = vscale_ ? cast<Type>(ArrayType::get(builder.getInt8Ty(), units * 8 * vscale_))
                         : ScalableVectorType::get(builder.getInt8Ty(), 8);
    auto *memory =
        builder.CreateAlloca(unit, vscale_ ? nullptr : builder.getInt32(uint32_t(units)));
    // LLVM aligns vectors of known size to that size where nothing else is specified.
    Align whole(count_.isFixed() ? PowerOf2Ceil(units * 8) : 8);
    memory->setAlignment(std::max(align, whole));
    return memory;
}

void InstructionWidener::emit_variable(AllocaInst &variable) {
    uint64_t bytes = variable.getAllocationSize(variable.getDataLayout())->getFixedValue();
    scalars_[&variable] =
        lane_memory(builder_, alignTo(bytes, variable.getAlign()), variable.getAlign());
}

// The first active lane makes the call. At least one is active (unsafe_with_empty_mask).
void InstructionWidener::emit_launch_end(CallInst &call) {
    Value *lane = builder_.getInt32(0);
    if (active.mask)
        lane = builder_.CreateIntrinsic(Intrinsic::experimental_cttz_elts,
                                        {lane->getType(), active.mask->getType()},
                                        {active.mask, builder_.getTrue()});
    SmallVector<Value *> operands;
    for (Value *operand : call.args())
        operands.push_back(strides_.uniform(operand)
                               ? scalar(operand)
                               : builder_.CreateExtractElement(vector(operand), lane));
    builder_.CreateCall(call.getFunctionType(), call.getCalledOperand(), operands);
}

void InstructionWidener::emit(Instruction &instruction) {
    if (isa<AllocaInst>(instruction)) {
        materialise_affine(&instruction);
        return;
    }
    builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
    if (auto *call = dyn_cast<CallInst>(&instruction))
        if (call->isLifetimeStartOrEnd() || isa<AssumeInst, PseudoProbeInst>(call) ||
            call->getIntrinsicID() == Intrinsic::experimental_noalias_scope_decl)
            return;
    if (calls_sub_group_function(instruction)) { // with all lanes active: LaneAnalysis
        emit_uniform(instruction);
        return;
    }
    if (auto sub_group = sub_group_call(instruction)) {
        emit_sub_group(cast<CallInst>(instruction), *sub_group);
        return;
    }
    if (auto *call = dyn_cast<CallInst>(&instruction); call && ends_launch(*call)) {
        emit_launch_end(*call);
        return;
    }
    if (auto *element = element_of_array(&instruction)) {
        emit_element(*element);
        return;
    }
    if (instruction.isVolatile() && isa<LoadInst, StoreInst>(instruction)) {
        if (!emit_volatile(instruction))
            emit_scalarised(instruction);
        return;
    }
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && !load->isAtomic()) {
        emit_load(*load);
        return;
    }
    if (auto *store = dyn_cast<StoreInst>(&instruction); store && !store->isAtomic()) {
        emit_store(*store);
        return;
    }
    if (isa<FenceInst>(instruction) || strides_.of(&instruction).kind == Stride::uniform) {
        if (isa<FenceInst>(instruction) || !instruction.getType()->isVoidTy()) {
            emit_uniform(instruction);
            return;
        }
    }
    if (strides_.of(&instruction).kind == Stride::affine) {
        emit_affine(instruction);
        return;
    }
    if (is_row_call(instruction) && can_call_row(cast<CallInst>(instruction)))
        emit_row_call(cast<CallInst>(instruction));
    else if (is_counting(instruction))
        emit_counting(cast<AtomicRMWInst>(instruction));
    else if (Value *wide = widened(instruction)) {
        keep_known_sign(instruction, *wide);
        vectors_[&instruction] = wide;
    } else
        emit_scalarised(instruction);
}

void InstructionWidener::emit_uniform(Instruction &instruction) {
    Instruction *copy = instruction.clone();
    if (active.mask && !unsafe_with_empty_mask(instruction)) // it runs even if no lane is active
        copy->dropUBImplyingAttrsAndMetadata();
    for (Use &operand : copy->operands())
        operand.set(scalar(operand.get()));
    scalars_[&instruction] = builder_.Insert(copy, instruction.getName());
}

// The value of lane 0 of an affine instruction (spmd/analysis/stride_analysis.h). The values of all
// other lanes are computed from it, although lane 0 may be inactive and the instruction's flags
// hold only for lanes that use their values. So it has to be what the affine sum says, and not
// poison: flags are dropped unless they hold for lane 0, a disjoint `or` becomes an addition, and
// extended operands are computed in the wide type.
Value *InstructionWidener::first_value(Instruction &instruction) {
    const Stride shape = strides_.of(&instruction);
    // If all lanes are active and none may go on with poison, the flags hold for lane 0 as well.
    auto is_own = [&](Value *value) {
        auto *own = dyn_cast<Instruction>(value);
        return own &&
               (is_next_or_global_id(*own) || (!active.mask && programUndefinedIfPoison(own)));
    };
    if (isa<ZExtInst, SExtInst>(instruction) && !shape.modulo_2_32 &&
        !is_own(instruction.getOperand(0)))
        return number(instruction.getOperand(0), instruction.getType(),
                      strides_.extends_signed(instruction));
    if (instruction.getOpcode() == Instruction::Or) // of disjoint bits, in lanes that use it
        return builder_.CreateAdd(scalar(instruction.getOperand(0)),
                                  scalar(instruction.getOperand(1)));
    Instruction *copy = instruction.clone();
    for (Use &operand : copy->operands()) {
        Value *value = operand.get();
        const bool is_narrow_index = isa<GetElementPtrInst>(copy) && operand.getOperandNo() > 0 &&
                                     strides_.of(value).kind == Stride::affine &&
                                     value->getType() != index_type();
        operand.set(is_narrow_index && !shape.modulo_2_32 ? number(value, index_type(), true)
                                                          : scalar(value));
    }
    if (!is_own(&instruction))
        copy->dropPoisonGeneratingFlags();
    return builder_.Insert(copy, instruction.getName());
}

void InstructionWidener::emit_affine(Instruction &instruction) {
    scalars_[&instruction] = first_value(instruction);
    Value *wide = strides_.of(&instruction).modulo_2_32 ? widened(instruction) : nullptr;
    if (wide)
        vectors_[&instruction] = wide;
    else
        materialise_affine(&instruction);
}

// Integer division by zero is undefined, and inactive lanes may hold zeros.
Value *InstructionWidener::divided(BinaryOperator &operation) {
    Value *left = vector(operation.getOperand(0));
    Value *right = vector(operation.getOperand(1));
    if (auto *by = dyn_cast<ConstantInt>(operation.getOperand(1));
        by && !by->isZero() && !by->isMinusOne())
        return builder_.CreateBinOp(operation.getOpcode(), left, right);
    Intrinsic::ID id = operation.getOpcode() == Instruction::UDiv   ? Intrinsic::vp_udiv
                       : operation.getOpcode() == Instruction::SDiv ? Intrinsic::vp_sdiv
                       : operation.getOpcode() == Instruction::URem ? Intrinsic::vp_urem
                                                                    : Intrinsic::vp_srem;
    return builder_.CreateIntrinsic(id, {left->getType()},
                                    {left, right, mask_or_all(), active.length});
}

// Sub-groups may have vectors of more than eight registers. The backend splits them, except where
// an intrinsic of the target takes them: those are split here.
Value *
InstructionWidener::in_registers(ArrayRef<Value *> operands,
                                 function_ref<Value *(ArrayRef<Value *>, Value *length)> emit) {
    Type *xlen = index_type();
    auto *wide = cast<VectorType>(operands[0]->getType());
    if (registers(wide->getScalarSizeInBits() / 8) <= largest_lmul)
        return emit(operands, builder_.CreateZExtOrTrunc(active.length, xlen));
    auto *half = VectorType::getHalfElementsVectorType(wide);
    Value *whole = PoisonValue::get(wide);
    for (unsigned first : {0u, half->getElementCount().getKnownMinValue()}) {
        SmallVector<Value *, 3> parts;
        for (Value *operand : operands)
            parts.push_back(operand->getType() == wide
                                ? builder_.CreateExtractVector(half, operand, uint64_t(first))
                                : operand);
        // Inactive lanes may hold anything, so each half computes all of its lanes.
        whole = builder_.CreateInsertVector(
            wide, whole, emit(parts, ConstantInt::getAllOnesValue(xlen)), uint64_t(first));
    }
    return whole;
}

// vmulh or vmulhu; the forms with 64 bits need V itself.
Value *InstructionWidener::multiplied_high(CallInst &call) {
    auto product = mulhi_kind(call.getCalledFunction());
    Function &function = *builder_.GetInsertBlock()->getParent();
    if (!product || count_.isFixed() ||
        (call.getType()->isIntegerTy(64) &&
         !function.getFnAttribute("target-features").getValueAsString().contains("+v,")))
        return nullptr;
    const unsigned right = strides_.uniform(call.getArgOperand(0)) ? 0 : 1;
    Value *other = call.getArgOperand(right);
    const bool is_scalar = strides_.uniform(other) && other->getType()->getIntegerBitWidth() <=
                                                          index_type()->getIntegerBitWidth();
    return in_registers(
        {vector(call.getArgOperand(1 - right)), is_scalar ? scalar(other) : vector(other)},
        [&](ArrayRef<Value *> operands, Value *length) {
            Type *wide = operands[0]->getType();
            return builder_.CreateIntrinsic(
                product == MulhiKind::of_signed ? Intrinsic::riscv_vmulh : Intrinsic::riscv_vmulhu,
                {wide, operands[1]->getType(), length->getType()},
                {PoisonValue::get(wide), operands[0], operands[1], length});
        });
}

// The mode is an operand, which the backend writes to frm.
Value *InstructionWidener::rounded(CallInst &call) {
    auto operation = directed_operation(call.getCalledFunction());
    if (!operation || count_.isFixed())
        return nullptr;
    static constexpr Intrinsic::ID ids[] = {Intrinsic::riscv_vfadd, Intrinsic::riscv_vfsub,
                                            Intrinsic::riscv_vfmul, Intrinsic::riscv_vfdiv};
    SmallVector<Value *, 3> all;
    for (auto [i, value] : enumerate(call.args()))
        all.push_back(i == 1 && strides_.uniform(value) ? scalar(value) : vector(value));
    return in_registers(all, [&](ArrayRef<Value *> operands, Value *length) -> Value * {
        Type *wide = operands[0]->getType();
        Type *right = operands[1]->getType();
        Type *xlen = length->getType();
        Value *mode = ConstantInt::get(xlen, operation->mode);
        if (operation->kind == DirectedOperation::fuse)
            return builder_.CreateIntrinsic(Intrinsic::riscv_vfmadd, {wide, right, xlen},
                                            {operands[0], operands[1], operands[2], mode, length,
                                             ConstantInt::get(xlen, agnostic)});
        return builder_.CreateIntrinsic(
            ids[operation->kind], {wide, right, xlen},
            {PoisonValue::get(wide), operands[0], operands[1], mode, length});
    });
}

Value *InstructionWidener::called(CallInst &call) {
    if (Value *product = multiplied_high(call))
        return product;
    if (Value *product = dot_product_of(call, nullptr))
        return product;
    if (Value *result = rounded(call))
        return result;
    if (Value *result = vendor_instruction(call))
        return result;
    if (Value *result = saturated(call))
        return result;
    Intrinsic::ID id = call.getIntrinsicID();
    if (id == Intrinsic::not_intrinsic ||
        !(isTriviallyVectorizable(id) || isa<WithOverflowInst>(call)))
        return nullptr;
    SmallVector<Value *, 4> operands;
    SmallVector<Type *, 4> types;
    const TargetTransformInfo *none = nullptr;
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, none))
        types.push_back(vector_of(isa<WithOverflowInst>(call) ? call.getArgOperand(0)->getType()
                                                              : call.getType()));
    for (auto [i, operand] : enumerate(call.args())) {
        bool keep = isVectorIntrinsicWithScalarOpAtArg(id, unsigned(i), none);
        if (keep && !strides_.uniform(operand))
            return nullptr;
        operands.push_back(keep ? scalar(operand) : vector(operand));
        if (isVectorIntrinsicWithOverloadTypeAtArg(id, int(i), none))
            types.push_back(operands.back()->getType());
    }
    if (isa<WithOverflowInst>(call))
        types = {operands[0]->getType()};
    CallInst *wide = builder_.CreateIntrinsic(id, types, operands);
    if (isa<FPMathOperator>(wide))
        wide->copyFastMathFlags(&call);
    return wide;
}

// The same operation on vectors; null if it has no vector form.
Value *InstructionWidener::widened(Instruction &instruction) {
    auto operand = [&](unsigned i) { return vector(instruction.getOperand(i)); };
    Value *wide = nullptr;
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction)) {
        if (operation->isIntDivRem())
            return divided(*operation);
        if (Value *sum = accumulated(*operation))
            return sum;
        wide = builder_.CreateBinOp(operation->getOpcode(), operand(0), operand(1));
    } else if (auto *operation = dyn_cast<UnaryOperator>(&instruction)) {
        wide = builder_.CreateUnOp(operation->getOpcode(), operand(0));
    } else if (auto *cast_ = dyn_cast<CastInst>(&instruction)) {
        if (cast_->getSrcTy()->isVectorTy() || cast_->getDestTy()->isVectorTy())
            return nullptr;
        Value *value = operand(0);
        // Bytes are extended to the result's width first. The backend would go through 16 bits, and
        // vtype would change twice.
        if (isa<UIToFPInst, SIToFPInst>(cast_) && cast_->getSrcTy()->isIntegerTy(8) &&
            cast_->getType()->isFloatTy()) {
            Type *words = vector_of(builder_.getInt32Ty());
            bool is_signed = isa<SIToFPInst>(cast_);
            if (isa<TruncInst>(value)) // a part of such a word
                value = is_signed ? builder_.CreateSExt(value, words)
                                  : builder_.CreateZExt(value, words);
            else
                value = builder_.CreateIntrinsic(
                    is_signed ? Intrinsic::vp_sext : Intrinsic::vp_zext, {words, value->getType()},
                    {value, all_lanes(), active.length});
        }
        // A truth value as a number, for the active lanes only: the backend would make zeros for
        // all lanes. Where the number is added, the backend makes a masked sum of it.
        if (isa<ZExtInst, SExtInst>(cast_) && cast_->getSrcTy()->isIntegerTy(1) &&
            value->getType()->isVectorTy() && none_of(cast_->users(), [](const User *user) {
                auto opcode = cast<Instruction>(user)->getOpcode();
                return opcode == Instruction::Add || opcode == Instruction::Sub;
            }))
            return builder_.CreateIntrinsic(isa<SExtInst>(cast_) ? Intrinsic::vp_sext
                                                                 : Intrinsic::vp_zext,
                                            {vector_of(cast_->getType()), value->getType()},
                                            {value, all_lanes(), active.length});
        wide = builder_.CreateCast(cast_->getOpcode(), value, vector_of(cast_->getType()));
    } else if (auto *compare = dyn_cast<CmpInst>(&instruction)) {
        if (auto *integers = dyn_cast<ICmpInst>(compare))
            if (Value *found = compared(*integers))
                return found;
        wide = builder_.CreateCmp(compare->getPredicate(), operand(0), operand(1));
    } else if (auto *select = dyn_cast<SelectInst>(&instruction)) {
        if (strides_.uniform(select->getCondition()))
            wide = builder_.CreateSelect(scalar(select->getCondition()), operand(1), operand(2));
        else
            wide = builder_.CreateSelect(operand(0), operand(1), operand(2));
    } else if (isa<FreezeInst>(instruction)) {
        wide = builder_.CreateFreeze(operand(0));
    } else if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction)) {
        SmallVector<Value *> indices;
        for (Value *index : gep->indices())
            indices.push_back(strides_.uniform(index) ? scalar(index) : vector(index));
        Value *base = gep->getPointerOperand();
        base = strides_.uniform(base) ? scalar(base) : vector(base);
        wide = builder_.CreateGEP(gep->getSourceElementType(), base, indices);
    } else if (auto *extract = dyn_cast<ExtractValueInst>(&instruction)) {
        wide = builder_.CreateExtractValue(vector(extract->getAggregateOperand()),
                                           extract->getIndices());
    } else if (auto *call = dyn_cast<CallInst>(&instruction)) {
        return called(*call);
    }
    if (auto *emitted = dyn_cast_or_null<Instruction>(wide);
        emitted && emitted->getOpcode() == instruction.getOpcode())
        emitted->copyIRFlags(&instruction);
    return wide;
}

} // namespace rivulet::compiler
