// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores of all lanes: one scalar, contiguous, strided or indexed.
#include "compiler/spmd/codegen/instruction_widener.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsRISCV.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/analysis/integer_ranges.h"
#include "compiler/spmd/analysis/interleaved_arrays.h"
#include "compiler/spmd/transform/lane_inductions.h"
#include "compiler/support/program.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

void set_alignment(CallInst *access, unsigned parameter, Align align) {
    access->addParamAttr(parameter, Attribute::getWithAlignment(access->getContext(), align));
}

} // namespace

// Vector accesses trap, or are split by the backend, when elements aren't aligned.
bool InstructionWidener::wide_enough(Align align, Type *type) const {
    return type->isSingleValueType() && !type->isVectorTy() &&
           align.value() >= builder_.GetInsertBlock()->getDataLayout().getTypeStoreSize(type) &&
           !type->isIntegerTy(1) && !type->isIntegerTy(128);
}

// A product of 32 bits whose factor is the same for all lanes.
Value *InstructionWidener::scaled(Value *value, Value *factor) {
    if (!value->getType()->isVectorTy())
        return builder_.CreateMul(value, factor);
    auto *known = dyn_cast<ConstantInt>(factor);
    if (!known || !known->getValue().isPowerOf2() || known->isOne())
        return builder_.CreateMul(value, builder_.CreateVectorSplat(count_, factor));
    // Shifts the active lanes only: the backend shortens VL only where it knows the users.
    return builder_.CreateIntrinsic(
        Intrinsic::vp_shl, {value->getType()},
        {value, ConstantInt::get(value->getType(), known->getValue().logBase2()), all_lanes(),
         active.length});
}

// The distance in bytes between a lane's own elements of an interleaved array.
Value *InstructionWidener::element_step(Type *integer, const AllocaInst &array) {
    Value *step = ConstantInt::get(integer, count_.getKnownMinValue() * interleaved_bytes(array) *
                                                std::max(1u, vscale_));
    return vscale_ ? step : builder_.CreateMul(step, builder_.CreateVScale(integer));
}

// The address of an element in each lane's own part of an interleaved array.
void InstructionWidener::emit_element(GetElementPtrInst &element) {
    if (strides_.of(&element).kind != Stride::affine) {
        vectors_[&element] = addresses(&element);
        return;
    }
    Value *index = builder_.CreateSExt(scalar(element.getOperand(1)), index_type());
    scalars_[&element] = builder_.CreatePtrAdd(
        scalar(element.getPointerOperand()),
        builder_.CreateMul(index, element_step(index_type(), *interleaved_array(&element))));
    materialise_affine(&element);
}

Value *InstructionWidener::element_offsets(const GetElementPtrInst &element) {
    const AllocaInst &array = *interleaved_array(&element);
    Type *word = builder_.getInt32Ty();
    Value *index = vector(element.getOperand(1));
    Value *step = element_step(word, array);
    Value *first = steps(word, strides_.of(&array)); // of each lane
    if (count_.isFixed() || !element.getOperand(1)->hasOneUse())
        return builder_.CreateAdd(scaled(index, step), first);
    return scaled_from(index, step, first);
}

// One instruction that replaces the value; the backend would use two.
Value *InstructionWidener::scaled_from(Value *value, Value *factor, Value *first) {
    Type *xlen = index_type();
    return builder_.CreateIntrinsic(
        Intrinsic::riscv_vmadd, {value->getType(), factor->getType(), xlen},
        {value, factor, first, builder_.CreateZExtOrTrunc(active.length, xlen),
         ConstantInt::get(xlen, agnostic)});
}

// Whether an index may lead to an address before that of an argument. With shared virtual memory,
// an argument may point into the middle of an allocation.
bool InstructionWidener::may_lie_before(Value *pointer) const {
    ValueRanges ranges(builder_.GetInsertBlock()->getDataLayout());
    bool before = false;
    while (auto *gep = dyn_cast<GetElementPtrInst>(pointer)) {
        for (auto at = gep_type_begin(gep), end = gep_type_end(gep); at != end; ++at)
            before |= !at.isStruct() && !ranges.of(*at.getOperand()).isAllNonNegative();
        pointer = gep->getPointerOperand();
    }
    unsigned space = pointer->getType()->getPointerAddressSpace();
    return before && (space == global_space || space == constant_space);
}

// The pointers of all lanes: one base and offsets of 32 bits if they point into one small buffer
// (shares_buffer()) or are known to be near, otherwise null and the pointers. Offsets are unsigned;
// where some may be below zero, the base is as far below the argument as a small buffer is large.
std::pair<Value *, Value *> InstructionWidener::offsets(Value *pointer) {
    if (auto *element = element_of_array(pointer))
        return {scalar(element->getPointerOperand()), element_offsets(*element)};
    if (auto small = small_offsets(pointer); small.second)
        return small;
    if (!strides_.shares_buffer(pointer))
        return {nullptr, vector(pointer)};
    const DataLayout &layout = builder_.GetInsertBlock()->getDataLayout();
    Type *word = builder_.getInt32Ty();
    Type *words = vector_of(word);
    SmallVector<GetElementPtrInst *> path;
    Value *root = pointer;
    while (auto *gep = dyn_cast<GetElementPtrInst>(root)) {
        path.push_back(gep);
        root = gep->getPointerOperand();
    }
    const uint32_t before = // with pointers of 32 bits, sums wrap
        index_type()->getIntegerBitWidth() > 32 && may_lie_before(pointer) ? uint32_t(1) << 31 : 0;
    Value *uniform_offset = builder_.getInt32(before);  // the same in all lanes
    Value *moved = nullptr;                             // from the root, in all lanes
    SmallVector<std::pair<Value *, uint64_t>, 2> parts; // with their factors
    auto narrow = [&](Value *value, uint64_t bytes) {
        return scaled(
            builder_.CreateZExtOrTrunc(value, value->getType()->isVectorTy() ? words : word),
            ConstantInt::get(word, bytes));
    };
    // The index before its extension: its 32 bits are enough.
    auto unextended = [](Value *index) {
        if (isa<SExtInst, ZExtInst>(index) && cast<CastInst>(index)->getSrcTy()->isIntegerTy(32))
            return cast<CastInst>(index)->getOperand(0);
        return index;
    };
    for (GetElementPtrInst *gep : path)
        for (auto at = gep_type_begin(gep), end = gep_type_end(gep); at != end; ++at) {
            Value *index = at.getOperand();
            if (StructType *structure = at.getStructTypeOrNull()) {
                auto field = unsigned(cast<ConstantInt>(index)->getZExtValue());
                uniform_offset = builder_.CreateAdd(
                    uniform_offset,
                    builder_.getInt32(
                        uint32_t(layout.getStructLayout(structure)->getElementOffset(field))));
                continue;
            }
            uint64_t bytes = at.getSequentialElementStride(layout).getFixedValue();
            index = unextended(index);
            // A uniform addend costs nothing where something must be added anyway, and accesses
            // that differ only in it share the rest. A loop's counter is added to what is known
            // before the loop, or to the base.
            for (auto sum = affine_step(*index, Meaning::ring);
                 sum && sum->is_sum() && !strides_.uniform(index);
                 sum = affine_step(*index, Meaning::ring)) {
                auto [own, added] = std::pair(sum->left, sum->right);
                if (!strides_.uniform(added))
                    std::swap(own, added);
                if (!strides_.uniform(added) || !(before || isa<PHINode>(added)))
                    break;
                index = own;
                if (isa<PHINode>(added) && path.size() == 1 && !moved &&
                    gep->hasMetadata(in_each_iteration)) {
                    moved =
                        builder_.CreateMul(builder_.CreateSExtOrTrunc(scalar(added), index_type()),
                                           ConstantInt::get(index_type(), bytes));
                    continue;
                }
                uniform_offset = builder_.CreateAdd(uniform_offset, narrow(scalar(added), bytes));
            }
            if (strides_.uniform(index)) {
                uniform_offset = builder_.CreateAdd(uniform_offset, narrow(scalar(index), bytes));
                continue;
            }
            parts.emplace_back(index, bytes);
        }
    Value *own = nullptr;
    for (auto [index, bytes] : parts) {
        // In a loop, the vector of the uniform part is made before the loop if registers are left.
        if (before && parts.size() == 1 && bytes > 1 && !count_.isFixed() && registers(4) <= 4 &&
            index->hasOneUse() && isa<ConstantInt>(uniform_offset) &&
            strides_.in_loop(path.front()->getParent())) {
            own = scaled_from(builder_.CreateZExtOrTrunc(vector(index), words),
                              ConstantInt::get(word, bytes),
                              builder_.CreateVectorSplat(count_, uniform_offset));
            uniform_offset = builder_.getInt32(0);
            break;
        }
        Value *part = narrow(vector(index), bytes);
        own = own ? builder_.CreateAdd(own, part) : part;
    }
    if (!isa<ConstantInt>(uniform_offset) || !cast<ConstantInt>(uniform_offset)->isZero())
        own = builder_.CreateAdd(own, builder_.CreateVectorSplat(count_, uniform_offset));
    Value *base = scalar(root);
    if (before)
        base = builder_.CreatePtrAdd(base, ConstantInt::getSigned(index_type(), -int64_t(before)));
    return {moved ? builder_.CreatePtrAdd(base, moved) : base, own};
}

Value *InstructionWidener::addresses(Value *pointer) {
    auto [base, each] = offsets(pointer);
    if (!base)
        return each;
    return builder_.CreateGEP(builder_.getInt8Ty(), base,
                              builder_.CreateZExt(each, vector_of(index_type())));
}

// A load of all lanes, or a store of the data, by offsets from one address; null if that doesn't
// pay. Addresses of many lanes would take more than eight registers, and the backend would split
// the access in two; offsets don't.
CallInst *InstructionWidener::indexed(Value *pointer, Type *element, Value *data) {
    auto fits = [&](Type *type) {
        return registers(type->getScalarSizeInBits() / 8) <= largest_lmul;
    };
    // LLVM would add a base that moves to the offsets of all lanes, and extend those to 64 bits.
    auto *address = dyn_cast<GetElementPtrInst>(pointer);
    const bool moves = address && address->hasMetadata(in_each_iteration);
    if (count_.isFixed() || (fits(index_type()) && !moves) || !fits(element) ||
        element->isPointerTy() || element->isHalfTy()) // not every unit has such vectors
        return nullptr;
    auto [base, each] = offsets(pointer);
    if (!base)
        return nullptr;
    if (auto *wide = dyn_cast<ZExtInst>(each))
        each = wide->getOperand(0);
    if (!fits(each->getType()))
        return nullptr;
    Type *xlen = index_type();
    Type *type = vector_of(element);
    SmallVector<Value *, 6> operands{data ? data : PoisonValue::get(type), base, each};
    if (active.mask)
        operands.push_back(active.mask);
    operands.push_back(builder_.CreateZExtOrTrunc(active.length, xlen));
    if (active.mask && !data)
        operands.push_back(ConstantInt::get(xlen, mergeable));
    static constexpr Intrinsic::ID forms[2][2] = {
        {Intrinsic::riscv_vluxei, Intrinsic::riscv_vluxei_mask},
        {Intrinsic::riscv_vsoxei, Intrinsic::riscv_vsoxei_mask}};
    CallInst *access =
        builder_.CreateIntrinsic(forms[data != nullptr][active.mask != nullptr],
                                 {type, base->getType(), each->getType(), xlen}, operands);
    access->setMemoryEffects(MemoryEffects::argMemOnly(data ? ModRefInfo::Mod : ModRefInfo::Ref));
    return access;
}

void InstructionWidener::emit_load(LoadInst &load) {
    Value *pointer = load.getPointerOperand();
    Stride shape = access(pointer);
    if (shape.kind == Stride::uniform && strides_.uniform(&load)) {
        emit_uniform(load);
        return;
    }
    Type *type = load.getType();
    if (!wide_enough(load.getAlign(), type)) {
        emit_scalarised(load);
        return;
    }
    if (loaded_.erase(&load) || emit_segment(load))
        return;
    Type *wide = vector_of(type);
    uint64_t bytes = load.getDataLayout().getTypeStoreSize(type);
    CallInst *access = nullptr;
    bool contiguous = !shape.scale && shape.step == int64_t(bytes);
    const bool is_indexed = shape.kind != Stride::affine || (count_.isFixed() && !contiguous);
    if (CallInst *all = is_indexed ? indexed(pointer, type, nullptr) : nullptr) {
        all->setAAMetadata(load.getAAMetadata());
        remark_on_access(all, load, pointer, shape);
        vectors_[&load] = all;
        return;
    }
    if (is_indexed) {
        Value *from = addresses(pointer);
        access = builder_.CreateIntrinsic(Intrinsic::vp_gather, {wide, from->getType()},
                                          {from, mask_or_all(), active.length});
    } else if (contiguous) {
        Value *from = address(pointer);
        access = builder_.CreateIntrinsic(Intrinsic::vp_load, {wide, from->getType()},
                                          {from, mask_or_all(), active.length});
    } else {
        Value *from = address(pointer);
        access = builder_.CreateIntrinsic(
            Intrinsic::experimental_vp_strided_load, {wide, from->getType(), index_type()},
            {from, stride(shape, index_type()), mask_or_all(), active.length});
    }
    set_alignment(access, 0, load.getAlign());
    access->setAAMetadata(load.getAAMetadata());
    if (!contiguous || is_indexed)
        remark_on_access(access, load, pointer, shape);
    vectors_[&load] = access;
}

void InstructionWidener::emit_store(StoreInst &store) {
    Value *pointer = store.getPointerOperand();
    Value *value = store.getValueOperand();
    Stride shape = access(pointer);
    if (shape.kind == Stride::uniform && strides_.uniform(value)) {
        emit_uniform(store);
        return;
    }
    Type *type = value->getType();
    if (!wide_enough(store.getAlign(), type)) {
        emit_scalarised(store);
        return;
    }
    if (emit_segment(store))
        return;
    Value *data = vector(value);
    uint64_t bytes = store.getDataLayout().getTypeStoreSize(type);
    CallInst *access = nullptr;
    bool contiguous = !shape.scale && shape.step == int64_t(bytes);
    const bool is_indexed = shape.kind != Stride::affine || (count_.isFixed() && !contiguous);
    const bool is_uniform_address = shape.kind == Stride::uniform;
    if (CallInst *all =
            is_indexed && !is_uniform_address ? indexed(pointer, type, data) : nullptr) {
        all->setAAMetadata(store.getAAMetadata());
        remark_on_access(all, store, pointer, shape);
        return;
    }
    if (is_indexed) {
        // RVV's ordered form: if lanes have the same address, the value of the last one stays.
        Value *to = is_uniform_address ? vector(pointer) : addresses(pointer);
        access = builder_.CreateIntrinsic(Intrinsic::vp_scatter, {data->getType(), to->getType()},
                                          {data, to, mask_or_all(), active.length});
    } else if (contiguous) {
        Value *to = address(pointer);
        access = builder_.CreateIntrinsic(Intrinsic::vp_store, {data->getType(), to->getType()},
                                          {data, to, mask_or_all(), active.length});
    } else {
        Value *to = address(pointer);
        access = builder_.CreateIntrinsic(
            Intrinsic::experimental_vp_strided_store,
            {data->getType(), to->getType(), index_type()},
            {data, to, stride(shape, index_type()), mask_or_all(), active.length});
    }
    set_alignment(access, 1, store.getAlign());
    access->setAAMetadata(store.getAAMetadata());
    if (!contiguous || is_indexed)
        remark_on_access(access, store, pointer, shape);
}

} // namespace rivulet::compiler
