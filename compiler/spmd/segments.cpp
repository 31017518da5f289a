// SPDX-License-Identifier: Apache-2.0
//
// Neighbours in memory, each in a lane's own place (the components of a float4, the fields of a
// structure): one segment access instead of several strided or indexed ones.
#include "compiler/spmd/lanes.h"

#include <llvm/IR/IntrinsicsRISCV.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

constexpr unsigned most_fields = 8; // RISC-V V 1.0, 7.8
constexpr unsigned most_registers = 8;
constexpr uint64_t agnostic = 3; // tail and mask

struct Forms {
    Intrinsic::ID contiguous, strided, indexed;
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

// Where a pointer points to, as a base and a number of bytes.
std::pair<const Value *, int64_t> place(const Value *pointer, const DataLayout &layout) {
    APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
    const Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
    return {base, offset.getSExtValue()};
}

} // namespace

// The loads that read what follows the first one's place, before anything is written.
SmallVector<LoadInst *, 8> Lanes::neighbours(LoadInst &first) const {
    const DataLayout &layout = first.getDataLayout();
    auto bytes = int64_t(layout.getTypeStoreSize(first.getType()).getFixedValue());
    auto [base, start] = place(first.getPointerOperand(), layout);
    SmallVector<LoadInst *, 8> fields(most_fields, nullptr);
    fields[0] = &first;
    for (Instruction *next = first.getNextNode(); next && !next->mayWriteToMemory();
         next = next->getNextNode()) {
        auto *load = dyn_cast<LoadInst>(next);
        if (!load || !load->isSimple() || load->getType() != first.getType() ||
            load->getAlign() < Align(uint64_t(bytes)))
            continue;
        auto [other, offset] = place(load->getPointerOperand(), layout);
        int64_t field = (offset - start) / bytes;
        if (other == base && field > 0 && field < most_fields && offset == start + field * bytes &&
            !fields[size_t(field)])
            fields[size_t(field)] = load;
    }
    fields.erase(find(fields, nullptr), fields.end());
    return fields;
}

bool Lanes::emit_segment(LoadInst &first) {
    Type *type = first.getType();
    Value *pointer = first.getPointerOperand();
    Shape shape = shapes_.of(pointer);
    auto bytes = unsigned(first.getDataLayout().getTypeStoreSize(type).getFixedValue());
    SmallVector<LoadInst *, 8> fields = neighbours(first);
    unsigned registers = std::max(1u, bytes * 8 * count_ / 64);
    if (fields.size() * registers > most_registers)
        fields.truncate(most_registers / registers);
    auto count = unsigned(fields.size());
    bool overlaps = shape.kind == Shape::linear && !shape.scale &&
                    std::abs(shape.step) < int64_t(count * bytes);
    if (count < 2 || overlaps)
        return false;

    LLVMContext &context = builder_.getContext();
    Type *xlen = first.getDataLayout().getIntPtrType(context);
    auto *tuple = TargetExtType::get(
        context, "riscv.vector.tuple",
        {ScalableVectorType::get(builder_.getInt8Ty(), count_ * bytes)}, {count});
    Value *none = PoisonValue::get(tuple);
    Value *mask = mask_or_all();
    Value *length = builder_.CreateZExtOrTrunc(active.length, xlen);
    Value *policy = ConstantInt::get(xlen, agnostic);
    Value *width = ConstantInt::get(xlen, Log2_32(bytes * 8));
    const Forms &forms = loads[count - 2];
    Value *all = nullptr;
    if (shape.kind == Shape::linear && !shape.scale && shape.step == int64_t(count * bytes)) {
        Value *from = scalar(pointer);
        all = builder_.CreateIntrinsic(forms.contiguous,
                                       {tuple, from->getType(), mask->getType(), xlen},
                                       {none, from, mask, length, policy, width});
    } else if (shape.kind == Shape::linear) {
        Value *from = scalar(pointer);
        Value *step = builder_.CreateZExtOrTrunc(stride(shape), xlen);
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

} // namespace rivulet::compiler
