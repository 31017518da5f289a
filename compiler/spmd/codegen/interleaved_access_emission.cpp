// SPDX-License-Identifier: Apache-2.0
//
// Neighbours in memory, each at a lane's own address (the components of a float4, the fields of a
// structure): one segment access instead of several strided or indexed ones.
#include "compiler/spmd/codegen/instruction_widener.h"

#include <llvm/IR/IntrinsicsRISCV.h>

#include "compiler/spmd/analysis/interleaved_arrays.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

struct Forms {
    Intrinsic::ID contiguous, strided, indexed;
};

constexpr Forms stores[] = {
    {Intrinsic::riscv_vsseg2_mask, Intrinsic::riscv_vssseg2_mask, Intrinsic::riscv_vsoxseg2_mask},
    {Intrinsic::riscv_vsseg3_mask, Intrinsic::riscv_vssseg3_mask, Intrinsic::riscv_vsoxseg3_mask},
    {Intrinsic::riscv_vsseg4_mask, Intrinsic::riscv_vssseg4_mask, Intrinsic::riscv_vsoxseg4_mask},
    {Intrinsic::riscv_vsseg5_mask, Intrinsic::riscv_vssseg5_mask, Intrinsic::riscv_vsoxseg5_mask},
    {Intrinsic::riscv_vsseg6_mask, Intrinsic::riscv_vssseg6_mask, Intrinsic::riscv_vsoxseg6_mask},
    {Intrinsic::riscv_vsseg7_mask, Intrinsic::riscv_vssseg7_mask, Intrinsic::riscv_vsoxseg7_mask},
    {Intrinsic::riscv_vsseg8_mask, Intrinsic::riscv_vssseg8_mask, Intrinsic::riscv_vsoxseg8_mask},
};

constexpr Forms loads[] = {
    {Intrinsic::riscv_vlseg2_mask, Intrinsic::riscv_vlsseg2_mask, Intrinsic::riscv_vluxseg2_mask},
    {Intrinsic::riscv_vlseg3_mask, Intrinsic::riscv_vlsseg3_mask, Intrinsic::riscv_vluxseg3_mask},
    {Intrinsic::riscv_vlseg4_mask, Intrinsic::riscv_vlsseg4_mask, Intrinsic::riscv_vluxseg4_mask},
    {Intrinsic::riscv_vlseg5_mask, Intrinsic::riscv_vlsseg5_mask, Intrinsic::riscv_vluxseg5_mask},
    {Intrinsic::riscv_vlseg6_mask, Intrinsic::riscv_vlsseg6_mask, Intrinsic::riscv_vluxseg6_mask},
    {Intrinsic::riscv_vlseg7_mask, Intrinsic::riscv_vlsseg7_mask, Intrinsic::riscv_vluxseg7_mask},
    {Intrinsic::riscv_vlseg8_mask, Intrinsic::riscv_vlsseg8_mask, Intrinsic::riscv_vluxseg8_mask},
};

} // namespace

Type *InstructionWidener::tuple_of(unsigned bytes, unsigned fields) const {
    return TargetExtType::get(
        builder_.getContext(), "riscv.vector.tuple",
        {ScalableVectorType::get(builder_.getInt8Ty(), count_.getKnownMinValue() * bytes)},
        {fields});
}

unsigned InstructionWidener::registers(unsigned bytes) const {
    return std::max(1u, bytes * 8 * count_.getKnownMinValue() / 64);
}

bool InstructionWidener::emit_segment(LoadInst &first) {
    if (count_.isFixed() || interleaved_array(first.getPointerOperand()))
        return false;
    Type *type = first.getType();
    Value *pointer = first.getPointerOperand();
    Stride shape = access(pointer);
    auto bytes = unsigned(first.getDataLayout().getTypeStoreSize(type).getFixedValue());
    if (!loads_by_address_)
        loads_by_address_.emplace(*first.getFunction());
    SmallVector<LoadInst *, 8> fields = loads_by_address_->of_fields(first);
    if (fields.size() * registers(bytes) > largest_lmul)
        fields.truncate(largest_lmul / registers(bytes));
    auto count = unsigned(fields.size());
    bool overlaps = shape.kind == Stride::affine && !shape.scale &&
                    std::abs(shape.step) < int64_t(count * bytes);
    // A value with a long live range fits into any register, but a tuple of eight into few places.
    bool lives_long = any_of(fields, [&](const LoadInst *load) {
        return any_of(load->users(), [&](const User *user) {
            return cast<Instruction>(user)->getParent() != load->getParent();
        });
    });
    if (count < 2 || overlaps ||
        (lives_long && count * registers(bytes) == largest_lmul && registers(bytes) > 1))
        return false;

    Type *xlen = first.getDataLayout().getIntPtrType(builder_.getContext());
    Type *tuple = tuple_of(bytes, count);
    Value *none = PoisonValue::get(tuple);
    Value *mask = mask_or_all();
    Value *length = builder_.CreateZExtOrTrunc(active.length, xlen);
    Value *policy = ConstantInt::get(xlen, agnostic);
    Value *width = ConstantInt::get(xlen, Log2_32(bytes * 8));
    const Forms &forms = loads[count - 2];
    Value *all = nullptr;
    if (shape.kind == Stride::affine && !shape.scale && shape.step == int64_t(count * bytes)) {
        Value *from = address(pointer);
        all = builder_.CreateIntrinsic(forms.contiguous,
                                       {tuple, from->getType(), mask->getType(), xlen},
                                       {none, from, mask, length, policy, width});
    } else if (shape.kind == Stride::affine) {
        Value *from = address(pointer);
        Value *step = stride(shape, xlen);
        all =
            builder_.CreateIntrinsic(forms.strided, {tuple, from->getType(), xlen, mask->getType()},
                                     {none, from, step, mask, length, policy, width});
    } else {
        auto [from, each] = offsets(pointer);
        if (!from)
            return false;
        all = builder_.CreateIntrinsic(
            forms.indexed, {tuple, from->getType(), each->getType(), mask->getType(), xlen},
            {none, from, each, mask, length, policy, width});
    }
    for (auto [i, load] : enumerate(fields)) {
        vectors_[load] =
            builder_.CreateIntrinsic(Intrinsic::riscv_tuple_extract, {vector_of(type), tuple},
                                     {all, builder_.getInt32(uint32_t(i))});
        if (load != &first)
            loaded_.insert(load);
    }
    return true;
}

// Whether the store belongs to a segment. Its last store emits it, in several parts if necessary.
bool InstructionWidener::emit_segment(StoreInst &store) {
    if (count_.isFixed() || interleaved_array(store.getPointerOperand()))
        return false;
    if (auto found = stored_.find(&store); found != stored_.end()) {
        SmallVector<StoreInst *, 8> fields = std::move(found->second);
        stored_.erase(found);
        auto bytes =
            unsigned(store.getDataLayout().getTypeStoreSize(store.getValueOperand()->getType()));
        unsigned most = largest_lmul / registers(bytes);
        for (size_t from = 0; from < fields.size();) {
            // No part consists of a single field.
            size_t left = fields.size() - from;
            size_t part = left <= most ? left : left == most + 1 && most > 2 ? most - 1 : most;
            emit_fields(ArrayRef(fields).slice(from, part), fields.size() * bytes);
            from += part;
        }
        return true;
    }
    if (waiting_.erase(&store))
        return true;
    Type *type = store.getValueOperand()->getType();
    auto bytes = unsigned(store.getDataLayout().getTypeStoreSize(type).getFixedValue());
    SmallVector<StoreInst *, 8> fields = stores_of_fields(store);
    if (fields.size() < 2 || registers(bytes) > largest_lmul / 2 ||
        (fields.size() % 2 && registers(bytes) > largest_lmul / 3))
        return false;
    Stride shape = access(fields[0]->getPointerOperand());
    bool affine = shape.kind == Stride::affine;
    if (affine ? !shape.scale && std::abs(shape.step) < int64_t(fields.size() * bytes)
               : !strides_.shares_buffer(fields[0]->getPointerOperand()))
        return false;
    StoreInst *last = &store;
    for (StoreInst *field : fields)
        if (last->comesBefore(field))
            last = field;
    for (StoreInst *field : fields)
        if (field != last && field != &store)
            waiting_.insert(field);
    stored_[last] = std::move(fields);
    return true;
}

void InstructionWidener::emit_fields(ArrayRef<StoreInst *> fields, uint64_t whole) {
    StoreInst &first = *fields[0];
    Type *xlen = first.getDataLayout().getIntPtrType(builder_.getContext());
    auto bytes =
        unsigned(first.getDataLayout().getTypeStoreSize(first.getValueOperand()->getType()));
    Type *tuple = tuple_of(bytes, unsigned(fields.size()));
    Value *all = PoisonValue::get(tuple);
    for (auto [i, field] : enumerate(fields)) {
        Value *data = vector(field->getValueOperand());
        all = builder_.CreateIntrinsic(Intrinsic::riscv_tuple_insert, {tuple, data->getType()},
                                       {all, data, builder_.getInt32(uint32_t(i))});
    }
    Value *mask = mask_or_all();
    Value *length = builder_.CreateZExtOrTrunc(active.length, xlen);
    Value *width = ConstantInt::get(xlen, Log2_32(bytes * 8));
    const Forms &forms = stores[fields.size() - 2];
    Value *pointer = first.getPointerOperand();
    Stride shape = access(pointer);
    if (shape.kind != Stride::affine) {
        auto [to, each] = offsets(pointer);
        builder_.CreateIntrinsic(forms.indexed,
                                 {tuple, to->getType(), each->getType(), mask->getType(), xlen},
                                 {all, to, each, mask, length, width});
    } else if (!shape.scale && shape.step == int64_t(whole) && fields.size() * bytes == whole) {
        Value *to = address(pointer);
        builder_.CreateIntrinsic(forms.contiguous, {tuple, to->getType(), mask->getType(), xlen},
                                 {all, to, mask, length, width});
    } else {
        Value *to = address(pointer);
        Value *step = stride(shape, xlen);
        builder_.CreateIntrinsic(forms.strided, {tuple, to->getType(), xlen, mask->getType()},
                                 {all, to, step, mask, length, width});
    }
}

} // namespace rivulet::compiler
