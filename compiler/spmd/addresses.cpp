// SPDX-License-Identifier: Apache-2.0
//
// Where lane 0's element lies, as a sum in an order that later passes make the most of:
//
//   ((base + what is the same in all lanes) + lane · bytes) + constant
//
// The first sum doesn't change from strip to strip; neighbours (a[x - 1], a[x], a[x + 1]) share the
// second.
#include "compiler/spmd/lanes.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include "compiler/spmd/private_arrays.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// Terms of an index or offset. Those of fewer bits than a pointer's are extended, and are taken
// apart only where that changes nothing.
struct Term {
    Value *value;
    int64_t factor;
    bool is_signed;
};

class Sum {
public:
    Sum(unsigned bits) : bits_(bits) {}

    int64_t constant = 0;
    SmallVector<Term, 4> terms;

    void add(Value *value, int64_t factor, bool is_signed = true) {
        if (auto *number = dyn_cast<ConstantInt>(value); number && number->getBitWidth() <= 64) {
            constant +=
                factor * (is_signed ? number->getSExtValue() : int64_t(number->getZExtValue()));
            return;
        }
        if (isa<SExtInst, ZExtInst>(value)) {
            auto *extension = cast<CastInst>(value);
            Value *narrow = extension->getOperand(0);
            if (extension->getType()->getScalarSizeInBits() == bits_ &&
                narrow->getType()->getScalarSizeInBits() == 32) {
                add(narrow, factor, isa<SExtInst>(extension) || extension->hasNonNeg());
                return;
            }
        }
        auto *operation = dyn_cast<BinaryOperator>(value);
        if (!operation || !splits(*operation, is_signed)) {
            terms.push_back({value, factor, is_signed});
            return;
        }
        Value *left = operation->getOperand(0);
        Value *right = operation->getOperand(1);
        switch (operation->getOpcode()) {
        case Instruction::Sub:
            add(left, factor, is_signed);
            add(right, -factor, is_signed);
            return;
        case Instruction::Mul:
            add(left, factor * cast<ConstantInt>(right)->getSExtValue(), is_signed);
            return;
        case Instruction::Shl:
            add(left, factor << cast<ConstantInt>(right)->getZExtValue(), is_signed);
            return;
        default: // Add, Or of disjoint bits
            add(left, factor, is_signed);
            add(right, factor, is_signed);
            return;
        }
    }

private:
    bool splits(const BinaryOperator &operation, bool is_signed) const {
        bool whole = operation.getType()->getScalarSizeInBits() == bits_;
        auto exact = [&] {
            return whole ||
                   (is_signed ? operation.hasNoSignedWrap() : operation.hasNoUnsignedWrap());
        };
        auto *by = dyn_cast<ConstantInt>(operation.getOperand(1));
        switch (operation.getOpcode()) {
        case Instruction::Or:
            return cast<PossiblyDisjointInst>(operation).isDisjoint();
        case Instruction::Add:
        case Instruction::Sub:
            return exact();
        case Instruction::Mul:
            return by && !by->isNegative() && by->getValue().isIntN(31) && exact();
        case Instruction::Shl:
            return by && by->getValue().ult(31) && exact();
        default:
            return false;
        }
    }

    unsigned bits_; // of a pointer
};

} // namespace

// What is known of active lanes holds for lane 0 where there is no mask.
Value *Lanes::address(Value *pointer) {
    if (active.mask || interleaved_array(pointer))
        return scalar(pointer);
    const DataLayout &layout = builder_.GetInsertBlock()->getDataLayout();
    unsigned bits = layout.getIndexTypeSizeInBits(pointer->getType());
    Sum sum(bits);
    Value *root = pointer;
    while (auto *gep = dyn_cast<GetElementPtrInst>(root)) {
        for (auto at = gep_type_begin(gep), end = gep_type_end(gep); at != end; ++at) {
            if (StructType *structure = at.getStructTypeOrNull()) {
                auto field = unsigned(cast<ConstantInt>(at.getOperand())->getZExtValue());
                sum.constant += int64_t(
                    layout.getStructLayout(structure)->getElementOffset(field).getFixedValue());
                continue;
            }
            unsigned width = at.getOperand()->getType()->getScalarSizeInBits();
            if (width != bits && width != 32)
                return scalar(pointer);
            sum.add(at.getOperand(), int64_t(at.getSequentialElementStride(layout)));
        }
        root = gep->getPointerOperand();
    }
    Type *word = builder_.getIntNTy(bits);
    auto is_x = [&](const Term &term) {
        auto *argument = dyn_cast<Argument>(term.value);
        return argument && argument->getArgNo() == 0 && wide_x_->getType() == word;
    };
    for (const Term &term : sum.terms)
        if (is_x(term))
            sum.constant += term.factor * int64_t(x_offset_);
    auto extended = [&](const Term &term) {
        if (is_x(term))
            return wide_x_;
        Value *value = scalar(term.value);
        return term.is_signed ? builder_.CreateSExt(value, word) : builder_.CreateZExt(value, word);
    };
    Value *address = scalar(root);
    for (bool alike : {true, false}) {
        MapVector<int64_t, Value *> parts; // by factor
        for (const Term &term : sum.terms)
            if (shapes_.uniform(term.value) == alike) {
                Value *&part = parts[term.factor];
                Value *value = extended(term);
                part = part ? builder_.CreateAdd(part, value) : value;
            }
        for (auto [factor, part] : parts)
            address = builder_.CreatePtrAdd(
                address, builder_.CreateMul(part, ConstantInt::getSigned(word, factor)));
    }
    if (sum.constant)
        address = builder_.CreatePtrAdd(address, ConstantInt::getSigned(word, sum.constant));
    return address;
}

} // namespace rivulet::compiler
