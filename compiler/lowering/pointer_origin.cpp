// SPDX-License-Identifier: Apache-2.0
#include "compiler/lowering/pointer_origin.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "compiler/support/program.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// The operand of a step that keeps the object; null where the chain ends.
Value *before_cast(Value *pointer) {
    auto *step = dyn_cast<Operator>(pointer);
    return step && (step->getOpcode() == Instruction::AddrSpaceCast ||
                    step->getOpcode() == Instruction::Freeze)
               ? step->getOperand(0)
               : nullptr;
}

} // namespace

// Indices are computed in as many bits as global addresses have.
PointerOrigins::PointerOrigins(Function &function)
    : layout_(function.getDataLayout()),
      index_type_(cast<IntegerType>(
          layout_.getIndexType(PointerType::get(function.getContext(), global_space)))) {}

Value *PointerOrigins::root(Value *pointer) {
    auto [known, is_new] = roots_.try_emplace(pointer, nullptr);
    if (!is_new)
        return known->second;
    SetVector<Value *> seen;
    seen.insert(pointer);
    Value *found = nullptr;
    for (unsigned i = 0; i < seen.size(); ++i) {
        Value *at = seen[i];
        if (auto *step = dyn_cast<GEPOperator>(at))
            seen.insert(step->getPointerOperand());
        else if (Value *before = before_cast(at))
            seen.insert(before);
        else if (auto *phi = dyn_cast<PHINode>(at))
            seen.insert(phi->op_begin(), phi->op_end());
        else if (auto *select = dyn_cast<SelectInst>(at)) {
            seen.insert(select->getTrueValue());
            seen.insert(select->getFalseValue());
        } else if (!found)
            found = at;
        else
            return nullptr;
    }
    return roots_[pointer] = found;
}

LinearAddress PointerOrigins::linear(Value *pointer) const {
    LinearAddress address;
    const unsigned bits = index_type_->getBitWidth();
    APInt constant(bits, 0);
    for (;;) {
        if (Value *before = before_cast(pointer)) {
            pointer = before;
            continue;
        }
        auto *step = dyn_cast<GEPOperator>(pointer);
        if (!step || layout_.getIndexTypeSizeInBits(step->getType()) != bits ||
            !step->collectOffset(layout_, bits, address.terms, constant))
            break;
        pointer = step->getPointerOperand();
    }
    address.base = pointer;
    address.constant = constant.getSExtValue();
    return address;
}

Value *PointerOrigins::offset(Value *pointer) {
    if (Value *known = offsets_.lookup(pointer))
        return known;
    if (Value *before = before_cast(pointer))
        return offset(before);
    Value *result = ConstantInt::get(index_type_, 0);
    if (auto *phi = dyn_cast<PHINode>(pointer)) {
        IRBuilder<> builder(phi);
        PHINode *sum = builder.CreatePHI(index_type_, phi->getNumIncomingValues());
        offsets_[pointer] = sum;
        for (auto [value, block] : zip(phi->incoming_values(), phi->blocks()))
            sum->addIncoming(offset(value), block);
        return sum;
    }
    if (auto *select = dyn_cast<SelectInst>(pointer)) {
        Value *first = offset(select->getTrueValue());
        Value *second = offset(select->getFalseValue());
        result = IRBuilder<>(select).CreateSelect(select->getCondition(), first, second);
    } else if (auto *step = dyn_cast<GetElementPtrInst>(pointer)) {
        Value *start = offset(step->getPointerOperand());
        IRBuilder<> builder(step);
        result = builder.CreateAdd(
            start,
            builder.CreateSExtOrTrunc(emitGEPOffset(&builder, layout_, step, true), index_type_));
    } else if (auto *constant = dyn_cast<GEPOperator>(pointer)) {
        APInt bytes(layout_.getIndexTypeSizeInBits(constant->getType()), 0);
        if (constant->accumulateConstantOffset(layout_, bytes))
            result =
                ConstantExpr::getAdd(cast<Constant>(offset(constant->getPointerOperand())),
                                     ConstantInt::getSigned(index_type_, bytes.getSExtValue()));
    }
    offsets_[pointer] = result;
    return result;
}

Value *PointerOrigins::offset(IRBuilder<> &builder, const LinearAddress &address) {
    Value *sum = builder.CreateAdd(offset(address.base),
                                   ConstantInt::getSigned(index_type_, address.constant));
    for (const auto &[value, scale] : address.terms)
        sum =
            builder.CreateAdd(sum, builder.CreateMul(builder.CreateSExtOrTrunc(value, index_type_),
                                                     ConstantInt::get(index_type_, scale)));
    return sum;
}

} // namespace rivulet::compiler
