// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/analysis/stride_analysis.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

#include "compiler/spmd/analysis/id_no_wrap_inference.h"
#include "compiler/spmd/analysis/interleaved_arrays.h"
#include "compiler/spmd/analysis/sub_group_calls.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

Shape linear(int64_t step, Value *scale = nullptr, bool as_address = false) {
    if (step == 0) // not uniform by control flow, so nothing is known
        return {Shape::varying};
    if (as_address && !isInt<32>(step))
        return {Shape::varying};
    return {Shape::linear, step, scale, as_address};
}

constexpr Shape varying{Shape::varying};

Shape sum(const Shape &a, const Shape &b, int64_t sign) {
    if (a.kind == Shape::unknown || b.kind == Shape::unknown)
        return {};
    if (a.kind == Shape::varying || b.kind == Shape::varying)
        return varying;
    bool as_address = a.as_address || b.as_address;
    if (a.kind == Shape::uniform && b.kind == Shape::uniform)
        return a;
    if (a.kind == Shape::uniform)
        return linear(sign * b.step, b.scale, as_address);
    if (b.kind == Shape::uniform)
        return linear(a.step, a.scale, as_address);
    if (a.scale != b.scale)
        return varying;
    return linear(a.step + sign * b.step, a.scale, as_address);
}

Shape product(const Shape &a, const Shape &b, Value *by) {
    if (a.kind == Shape::unknown || b.kind == Shape::unknown)
        return {};
    if (a.kind != Shape::linear || b.kind != Shape::uniform)
        return varying;
    if (auto *constant = dyn_cast<ConstantInt>(by); constant && constant->getBitWidth() <= 64)
        return linear(int64_t(uint64_t(a.step) * uint64_t(constant->getSExtValue())), a.scale,
                      a.as_address);
    return a.scale || a.as_address ? varying : linear(a.step, by);
}

} // namespace

int64_t lane_bytes(const AllocaInst &variable) {
    if (unsigned element = interleaved_bytes(variable))
        return element;
    auto size = variable.getAllocationSize(variable.getDataLayout());
    return int64_t(alignTo(size ? size->getFixedValue() : 1, variable.getAlign()));
}

Shapes::Shapes(Function &function, const Uniformity &uniformity, const ControlFlow &flow)
    : uniformity_(uniformity), flow_(flow) {
    ReversePostOrderTraversal<Function *> order(&function);
    for (bool changed = true; changed;) {
        changed = false;
        for (BasicBlock *block : order)
            for (Instruction &instruction : *block) {
                Shape &old = shapes_[&instruction];
                if (old.kind == Shape::varying)
                    continue;
                Shape now = transfer(instruction);
                if (now == old)
                    continue;
                // Only ever down: unknown, something known, varying.
                old = old.kind == Shape::unknown ? now : varying;
                changed = true;
            }
    }
}

Shape Shapes::of(const Value *value) const {
    if (auto *argument = dyn_cast<Argument>(value))
        return argument->getArgNo() == 0 ? Shape{Shape::linear, 1} : Shape{Shape::uniform};
    if (!isa<Instruction>(value))
        return {Shape::uniform};
    return shapes_.lookup(value);
}

Shape Shapes::transfer(Instruction &instruction) const {
    if (uniformity_.uniform(instruction))
        return {Shape::uniform};
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
        return binary(*operation);
    if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction))
        return address(*gep);
    if (auto *phi = dyn_cast<PHINode>(&instruction))
        return merged(*phi);
    if (auto *variable = dyn_cast<AllocaInst>(&instruction))
        return linear(lane_bytes(*variable));
    if (auto call = sub_group_call(instruction))
        return call->function == SubGroupCall::local_id ? linear(1) : varying;
    switch (instruction.getOpcode()) {
    case Instruction::ZExt:
    case Instruction::SExt:
        return instruction.getType()->getIntegerBitWidth() > 64
                   ? varying
                   : extended(instruction.getOperand(0), extends_signed(instruction));
    case Instruction::Trunc:
    case Instruction::AddrSpaceCast:
    case Instruction::Freeze: {
        Shape shape = of(instruction.getOperand(0));
        if (isa<TruncInst>(instruction) && instruction.getType()->getIntegerBitWidth() <= 32)
            shape.as_address = false; // what is linear modulo 2^32
        return shape.kind == Shape::uniform ? varying : shape;
    }
    case Instruction::BitCast:
        return instruction.getType()->isPointerTy() ? of(instruction.getOperand(0)) : varying;
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
        return instruction.getType()->isPointerTy() || instruction.getType()->isIntegerTy(64)
                   ? of(instruction.getOperand(0))
                   : varying;
    case Instruction::Select: {
        auto &select = cast<SelectInst>(instruction);
        Shape yes = of(select.getTrueValue());
        return uniformity_.uniform(*select.getCondition()) && yes == of(select.getFalseValue())
                   ? yes
                   : varying;
    }
    default:
        return varying;
    }
}

Shape Shapes::binary(BinaryOperator &operation) const {
    if (!operation.getType()->isIntegerTy() || operation.getType()->getIntegerBitWidth() > 64)
        return varying;
    Value *left = operation.getOperand(0);
    Value *right = operation.getOperand(1);
    Shape a = of(left);
    Shape b = of(right);
    switch (operation.getOpcode()) {
    case Instruction::Or:
        if (!cast<PossiblyDisjointInst>(operation).isDisjoint())
            return varying;
        [[fallthrough]];
    case Instruction::Add:
        return sum(a, b, 1);
    case Instruction::Sub:
        return sum(a, b, -1);
    case Instruction::Mul:
        return a.kind == Shape::uniform ? product(b, a, left) : product(a, b, right);
    case Instruction::Shl:
        if (auto *by = dyn_cast<ConstantInt>(right);
            by && a.kind == Shape::linear && by->getValue().ult(62))
            return linear(a.step << by->getZExtValue(), a.scale, a.as_address);
        return a.kind == Shape::unknown ? a : varying;
    default:
        return varying;
    }
}

// Whether no lane may go on with poison, and all lanes come here.
bool Shapes::is_never_poison(const Instruction &instruction) const {
    return !flow_.masked(instruction.getParent()) && programUndefinedIfPoison(&instruction);
}

// Whether nothing wraps in the first value, no matter what the flags say of it.
bool Shapes::is_exact(Value *value, bool is_signed) const {
    if (isa<Argument>(value) || sub_group_call(*value))
        return true;
    auto *instruction = dyn_cast<Instruction>(value);
    return instruction && is_number(value, is_signed) &&
           (is_next_or_global_id(*instruction) || is_never_poison(*instruction));
}

// Flags say that no active lane's counter wraps. Lane 0's doesn't either if it is active, or lies
// between its value at the loop's start and an active lane's.
bool Shapes::counts(const PHINode &counter, bool is_signed) const {
    Shape shape = of(&counter);
    if (counter.getNumIncomingValues() != 2)
        return false;
    for (unsigned way : {0u, 1u}) {
        auto *next = dyn_cast<OverflowingBinaryOperator>(counter.getIncomingValue(way));
        if (!next || next->getOpcode() != Instruction::Add || next->getOperand(0) != &counter ||
            !(is_signed ? next->hasNoSignedWrap() : next->hasNoUnsignedWrap()))
            continue;
        Value *first = counter.getIncomingValue(1 - way);
        if (is_never_poison(counter) && is_number(first, is_signed))
            return true;
        auto *by = dyn_cast<ConstantInt>(next->getOperand(1));
        return by && !by->isNegative() && !shape.scale && shape.step >= 0 &&
               is_exact(first, is_signed);
    }
    return false;
}

bool Shapes::is_number(Value *value, bool is_signed) const {
    Shape shape = of(value);
    if (shape.kind == Shape::uniform || isa<Argument>(value) || sub_group_call(*value))
        return true;
    if (shape.kind != Shape::linear || shape.as_address)
        return false;
    if (auto *operation = dyn_cast<OverflowingBinaryOperator>(value)) {
        // Factors are taken as signed.
        auto *factor = dyn_cast<ConstantInt>(operation->getOperand(1));
        if (operation->getOpcode() == Instruction::Mul && !is_signed &&
            (!factor || factor->isNegative()))
            return false;
        return (is_signed ? operation->hasNoSignedWrap() : operation->hasNoUnsignedWrap()) &&
               is_number(operation->getOperand(0), is_signed) &&
               is_number(operation->getOperand(1), is_signed);
    }
    if (auto *either = dyn_cast<PossiblyDisjointInst>(value))
        return either->isDisjoint() && is_number(either->getOperand(0), is_signed) &&
               is_number(either->getOperand(1), is_signed);
    if (auto *counter = dyn_cast<PHINode>(value))
        return counts(*counter, is_signed);
    if (auto *narrow = dyn_cast<TruncInst>(value))
        return (is_signed ? narrow->hasNoSignedWrap() : narrow->hasNoUnsignedWrap()) &&
               !of(narrow->getOperand(0)).as_address;
    if (isa<SExtInst>(value))
        return is_signed;
    return isa<ZExtInst>(value);
}

bool Shapes::extends_signed(const Instruction &extension) const {
    return !isa<ZExtInst>(extension) ||
           (extension.hasNonNeg() && is_number(extension.getOperand(0), true));
}

bool Shapes::shares_buffer(Value *pointer) const {
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
    auto *argument = dyn_cast<Argument>(pointer);
    return differs && argument && argument->hasAttribute("rivulet.buffer");
}

Shape Shapes::extended(Value *narrow, bool is_signed) const {
    Shape shape = of(narrow);
    if (shape.kind != Shape::linear)
        return shape.kind == Shape::unknown ? shape : varying;
    // Arithmetic in 8 or 16 bits is meant to wrap.
    if (!narrow->getType()->isIntegerTy(32))
        return varying;
    if (is_number(narrow, is_signed))
        return shape;
    if (!shape.scale)
        return linear(int32_t(shape.step), nullptr, true);
    // A product of more than the scale might wrap.
    if (std::abs(shape.step) != 1 || !shape.scale->getType()->isIntegerTy(32))
        return varying;
    return linear(shape.step, shape.scale, true);
}

Shape Shapes::address(GetElementPtrInst &gep) const {
    const DataLayout &layout = gep.getDataLayout();
    Shape total = of(gep.getPointerOperand());
    if (interleaved_array(&gep)) { // lanes are neighbours if they ask for the same index
        Shape index = of(gep.getOperand(1));
        return index.kind == Shape::unknown   ? index
               : index.kind == Shape::uniform ? total
                                              : varying;
    }
    for (auto at = gep_type_begin(gep), end = gep_type_end(gep); at != end; ++at) {
        if (at.isStruct())
            continue;
        Value *index = at.getOperand();
        Shape shape = of(index);
        if (index->getType()->getIntegerBitWidth() < layout.getIndexTypeSizeInBits(gep.getType()) &&
            shape.kind == Shape::linear)
            shape = extended(index, true);
        TypeSize bytes = at.getSequentialElementStride(layout);
        if (shape.kind == Shape::linear)
            shape =
                linear(shape.step * int64_t(bytes.getFixedValue()), shape.scale, shape.as_address);
        total = sum(total, shape, 1);
    }
    return total.kind == Shape::uniform ? varying : total;
}

Shape Shapes::merged(PHINode &phi) const {
    BasicBlock *block = phi.getParent();
    if (flow_.linear_join(block))
        return varying;
    Shape common;
    for (Value *value : phi.incoming_values()) {
        Shape shape = of(value);
        if (shape.kind == Shape::unknown || isa<UndefValue>(value))
            continue;
        if (common.kind == Shape::unknown)
            common = shape;
        else if (!(common == shape))
            return varying;
    }
    return common.kind == Shape::uniform ? varying : common;
}

} // namespace rivulet::compiler
