// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/analysis/stride_analysis.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/spmd/analysis/global_ids.h"
#include "compiler/spmd/analysis/interleaved_arrays.h"
#include "compiler/spmd/analysis/sub_group_calls.h"
#include "compiler/work_items/parameters.h"
#include "compiler/work_items/small_buffers.h"
#include "hal/protocol/kernel_image.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

Stride affine(int64_t step, Value *scale = nullptr, bool modulo_2_32 = false) {
    if (step == 0) // not uniform by control flow, so nothing is known
        return {Stride::varying};
    if (modulo_2_32 && !isInt<32>(step))
        return {Stride::varying};
    return {Stride::affine, step, scale, modulo_2_32};
}

constexpr Stride varying{Stride::varying};

// An address that is affine modulo 2^32 is affine only in small buffers: see Stride.
Stride address_of(const Stride &shape, const Instruction &pointer) {
    return shape.modulo_2_32 && !is_in_small_buffer(pointer, *pointer.getFunction()) ? varying
                                                                                     : shape;
}

Stride sum(const Stride &a, const Stride &b, int64_t sign) {
    if (a.kind == Stride::unknown || b.kind == Stride::unknown)
        return {};
    if (a.kind == Stride::varying || b.kind == Stride::varying)
        return varying;
    bool modulo_2_32 = a.modulo_2_32 || b.modulo_2_32;
    if (a.kind == Stride::uniform && b.kind == Stride::uniform)
        return a;
    if (a.kind == Stride::uniform)
        return affine(sign * b.step, b.scale, modulo_2_32);
    if (b.kind == Stride::uniform)
        return affine(a.step, a.scale, modulo_2_32);
    if (a.scale != b.scale)
        return varying;
    return affine(a.step + sign * b.step, a.scale, modulo_2_32);
}

Stride product(const Stride &a, const Stride &b, Value *by) {
    if (a.kind == Stride::unknown || b.kind == Stride::unknown)
        return {};
    if (a.kind != Stride::affine || b.kind != Stride::uniform)
        return varying;
    if (auto *constant = dyn_cast<ConstantInt>(by); constant && constant->getBitWidth() <= 64)
        return affine(int64_t(uint64_t(a.step) * uint64_t(constant->getSExtValue())), a.scale,
                      a.modulo_2_32);
    return a.scale || a.modulo_2_32 ? varying : affine(a.step, by);
}

} // namespace

int64_t lane_bytes(const AllocaInst &variable) {
    if (unsigned element = interleaved_bytes(variable))
        return element;
    auto size = variable.getAllocationSize(variable.getDataLayout());
    return int64_t(alignTo(size ? size->getFixedValue() : 1, variable.getAlign()));
}

StrideAnalysis::StrideAnalysis(Function &function, const Uniformity &uniformity,
                               const ControlFlow &flow)
    : uniformity_(uniformity), flow_(flow) {
    ReversePostOrderTraversal<Function *> order(&function);
    for (bool changed = true; changed;) {
        changed = false;
        for (BasicBlock *block : order)
            for (Instruction &instruction : *block) {
                Stride &old = strides_[&instruction];
                if (old.kind == Stride::varying)
                    continue;
                Stride now = transfer(instruction);
                if (now == old)
                    continue;
                // A stride only changes downwards: from unknown to something known, from that to
                // varying.
                old = old.kind == Stride::unknown ? now : varying;
                changed = true;
            }
    }
}

Stride StrideAnalysis::of(const Value *value) const {
    if (auto *argument = dyn_cast<Argument>(value))
        return argument->getArgNo() == 0 ? Stride{Stride::affine, 1} : Stride{Stride::uniform};
    if (!isa<Instruction>(value))
        return {Stride::uniform};
    return strides_.lookup(value);
}

Stride StrideAnalysis::transfer(Instruction &instruction) const {
    if (uniformity_.uniform(instruction))
        return {Stride::uniform};
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
        return binary(*operation);
    if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction))
        return address(*gep);
    if (auto *phi = dyn_cast<PHINode>(&instruction))
        return merged(*phi);
    if (auto *variable = dyn_cast<AllocaInst>(&instruction))
        return affine(lane_bytes(*variable));
    if (auto call = sub_group_call(instruction))
        return call->function == SubGroupCall::local_id ? affine(1) : varying;
    switch (instruction.getOpcode()) {
    case Instruction::ZExt:
    case Instruction::SExt:
        return instruction.getType()->getIntegerBitWidth() > 64
                   ? varying
                   : extended(instruction.getOperand(0), extends_signed(instruction));
    case Instruction::Trunc:
    case Instruction::AddrSpaceCast:
    case Instruction::Freeze: {
        Stride shape = of(instruction.getOperand(0));
        if (isa<TruncInst>(instruction) && instruction.getType()->getIntegerBitWidth() <= 32)
            shape.modulo_2_32 = false; // a sum that is affine modulo 2^32
        return shape.kind == Stride::uniform ? varying : shape;
    }
    case Instruction::BitCast:
        return instruction.getType()->isPointerTy() ? of(instruction.getOperand(0)) : varying;
    case Instruction::PtrToInt:
        return instruction.getType()->isIntegerTy(64) ? of(instruction.getOperand(0)) : varying;
    case Instruction::IntToPtr:
        return address_of(of(instruction.getOperand(0)), instruction);
    case Instruction::Select: {
        auto &select = cast<SelectInst>(instruction);
        Stride yes = of(select.getTrueValue());
        return uniformity_.uniform(*select.getCondition()) && yes == of(select.getFalseValue())
                   ? yes
                   : varying;
    }
    default:
        return varying;
    }
}

Stride StrideAnalysis::binary(BinaryOperator &operation) const {
    if (!operation.getType()->isIntegerTy() || operation.getType()->getIntegerBitWidth() > 64)
        return varying;
    const auto step = affine_step(operation, Meaning::modulo);
    if (!step || step->left_factor < 0) // 2^63
        return varying;
    Stride a = of(step->left);
    if (!step->right)
        return a.kind == Stride::affine
                   ? affine(int64_t(uint64_t(a.step) * uint64_t(step->left_factor)), a.scale,
                            a.modulo_2_32)
               : a.kind == Stride::unknown ? a
                                           : varying;
    Stride b = of(step->right);
    if (!step->is_product)
        return sum(a, b, step->right_factor);
    return a.kind == Stride::uniform ? product(b, a, step->left) : product(a, b, step->right);
}

// Whether all lanes come here and none may go on with poison.
bool StrideAnalysis::is_never_poison(const Instruction &instruction) const {
    return !flow_.masked(instruction.getParent()) && programUndefinedIfPoison(&instruction);
}

// Whether lane 0's value doesn't wrap either; flags only speak about active lanes.
bool StrideAnalysis::is_exact(Value *value, bool is_signed) const {
    if (isa<Argument>(value) || sub_group_call(*value))
        return true;
    auto *instruction = dyn_cast<Instruction>(value);
    return instruction && is_number(value, is_signed) &&
           (is_next_or_global_id(*instruction) || is_never_poison(*instruction));
}

// Flags say that no active lane's counter wraps. Lane 0's counter doesn't wrap either if lane 0 is
// active, or if its value is between its own first value and the value of an active lane.
bool StrideAnalysis::counts(const PHINode &counter, bool is_signed) const {
    Stride shape = of(&counter);
    if (counter.getNumIncomingValues() != 2)
        return false;
    for (unsigned edge : {0u, 1u}) {
        const Value *next = counter.getIncomingValue(edge);
        const auto sum = affine_step(*next, as_number(is_signed));
        // An inactive lane would not compute the sum with disjoint bits.
        if (!sum || !sum->is_sum() || sum->left != &counter || !isa<AddOperator>(next))
            continue;
        Value *first = counter.getIncomingValue(1 - edge);
        if (is_never_poison(counter) && is_number(first, is_signed))
            return true;
        auto *by = dyn_cast<ConstantInt>(sum->right);
        return by && !by->isNegative() && !shape.scale && shape.step >= 0 &&
               is_exact(first, is_signed);
    }
    return false;
}

bool StrideAnalysis::is_number(Value *value, bool is_signed) const {
    Stride shape = of(value);
    if (shape.kind == Stride::uniform || isa<Argument>(value) || sub_group_call(*value))
        return true;
    if (shape.kind != Stride::affine || shape.modulo_2_32)
        return false;
    if (auto *counter = dyn_cast<PHINode>(value))
        return counts(*counter, is_signed);
    const auto step = affine_step(*value, as_number(is_signed));
    if (!step)
        return false;
    if (isa<TruncInst>(value))
        return !of(step->left).modulo_2_32;
    if (isa<CastInst>(value))
        return true;
    if (step->is_product && !is_signed) { // factors are taken as signed
        auto *factor = dyn_cast<ConstantInt>(step->right);
        if (!factor || factor->isNegative())
            return false;
    }
    return is_number(step->left, is_signed) && (!step->right || is_number(step->right, is_signed));
}

bool StrideAnalysis::extends_signed(const Instruction &extension) const {
    return !isa<ZExtInst>(extension) ||
           (extension.hasNonNeg() && is_number(extension.getOperand(0), true));
}

std::optional<unsigned> StrideAnalysis::lane_side(const ICmpInst &compare) const {
    for (unsigned side : {0u, 1u}) {
        Value *value = compare.getOperand(side);
        Stride shape = of(value);
        if (shape.kind != Stride::affine || shape.scale || shape.modulo_2_32 ||
            !value->getType()->isIntegerTy() || value->getType()->getIntegerBitWidth() < 32 ||
            !uniform(compare.getOperand(1 - side)))
            continue;
        if (compare.isEquality() ? shape.step == 1 : is_number(value, compare.isSigned()))
            return side;
    }
    return std::nullopt;
}

static bool is_small_buffer(const Value &base) {
    if (auto *table = dyn_cast<GlobalVariable>(&base)) {
        const TypeSize bytes = table->getDataLayout().getTypeAllocSize(table->getValueType());
        return bytes.getFixedValue() <= RVL_SMALL_BUFFER_BYTES;
    }
    auto *argument = dyn_cast<Argument>(&base);
    return argument && argument->hasAttribute(buffer_mark);
}

bool StrideAnalysis::shares_buffer(Value *pointer) const {
    bool differs = false;
    while (auto *gep = dyn_cast<GetElementPtrInst>(pointer)) {
        for (auto at = gep_type_begin(gep), end = gep_type_end(gep); at != end; ++at) {
            Value *index = at.getOperand();
            if (!at.isStruct() && index->getType()->getIntegerBitWidth() < 32)
                return false;
            differs |= !uniform(index);
        }
        pointer = gep->getPointerOperand();
    }
    return differs && is_small_buffer(*pointer);
}

Stride StrideAnalysis::extended(Value *narrow, bool is_signed) const {
    Stride shape = of(narrow);
    if (shape.kind != Stride::affine)
        return shape.kind == Stride::unknown ? shape : varying;
    // Arithmetic in 8 or 16 bits is meant to wrap.
    if (!narrow->getType()->isIntegerTy(32))
        return varying;
    if (is_number(narrow, is_signed))
        return shape;
    if (!shape.scale)
        return affine(int32_t(shape.step), nullptr, true);
    // A scale times more than one might wrap.
    if (std::abs(shape.step) != 1 || !shape.scale->getType()->isIntegerTy(32))
        return varying;
    return affine(shape.step, shape.scale, true);
}

Stride StrideAnalysis::address(GetElementPtrInst &gep) const {
    const DataLayout &layout = gep.getDataLayout();
    Stride total = of(gep.getPointerOperand());
    if (interleaved_array(&gep)) { // lanes are neighbours if they ask for the same index
        Stride index = of(gep.getOperand(1));
        return index.kind == Stride::unknown   ? index
               : index.kind == Stride::uniform ? total
                                               : varying;
    }
    for (auto at = gep_type_begin(gep), end = gep_type_end(gep); at != end; ++at) {
        if (at.isStruct())
            continue;
        Value *index = at.getOperand();
        Stride shape = of(index);
        if (index->getType()->getIntegerBitWidth() < layout.getIndexTypeSizeInBits(gep.getType()) &&
            shape.kind == Stride::affine)
            shape = extended(index, true);
        TypeSize bytes = at.getSequentialElementStride(layout);
        if (shape.kind == Stride::affine)
            shape =
                affine(shape.step * int64_t(bytes.getFixedValue()), shape.scale, shape.modulo_2_32);
        total = sum(total, shape, 1);
    }
    return total.kind == Stride::uniform ? varying : address_of(total, gep);
}

Stride StrideAnalysis::merged(PHINode &phi) const {
    BasicBlock *block = phi.getParent();
    if (flow_.is_predicated_merge(block))
        return varying;
    Stride common;
    for (Value *value : phi.incoming_values()) {
        Stride shape = of(value);
        if (shape.kind == Stride::unknown || isa<UndefValue>(value))
            continue;
        if (common.kind == Stride::unknown)
            common = shape;
        else if (!(common == shape))
            return varying;
    }
    return common.kind == Stride::uniform ? varying : common;
}

} // namespace rivulet::compiler
