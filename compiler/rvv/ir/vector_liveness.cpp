// SPDX-License-Identifier: Apache-2.0
#include "compiler/rvv/ir/vector_liveness.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsRISCV.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/analysis/operations.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

const TargetExtType *as_tuple(const Type *type) {
    auto *tuple = dyn_cast<TargetExtType>(type);
    return tuple && tuple->getName() == "riscv.vector.tuple" ? tuple : nullptr;
}

bool is_cheap(const Value &value) {
    return match(&value, m_Intrinsic<Intrinsic::stepvector>()) ||
           match(&value, m_Intrinsic<Intrinsic::riscv_vid>());
}

// Whether all users take the extension as part of an address or of a widening instruction.
bool is_part(const CastInst &extension) {
    const unsigned from = extension.getSrcTy()->getScalarSizeInBits();
    const unsigned to = extension.getDestTy()->getScalarSizeInBits();
    return isa<ZExtInst, SExtInst>(extension) && all_of(extension.users(), [&](const User *user) {
               const unsigned opcode = cast<Instruction>(user)->getOpcode();
               return opcode == Instruction::GetElementPtr ||
                      (2 * from == to && from > 1 &&
                       (opcode == Instruction::Add || opcode == Instruction::Sub ||
                        opcode == Instruction::Mul));
           });
}

// By itself, or by what the product is added to.
bool takes_negative(const User *user) {
    return is_fma(*user) || (user->hasOneUse() && is_fma(**user->user_begin()) &&
                             match(user, m_FMul(m_Value(), m_Value())));
}

// Values without registers of their own: splats, addresses, fields, and operations that are folded
// into their user.
bool is_part(const Value &value) {
    if (value.getType()->getScalarType()->isPointerTy() || getSplatValue(&value) ||
        match(&value, m_InsertElt(m_Value(), m_Value(), m_Zero())) || is_cheap(value) ||
        match(&value, m_Intrinsic<Intrinsic::riscv_tuple_extract>()))
        return true;
    if (match(&value, m_Intrinsic<Intrinsic::riscv_tuple_insert>()))
        return value.hasOneUse() &&
               match(value.user_back(), m_Intrinsic<Intrinsic::riscv_tuple_insert>());
    if (isa<UnaryOperator>(value))
        return all_of(value.users(), takes_negative);
    auto *extension = dyn_cast<CastInst>(&value);
    return extension && is_part(*extension);
}

// The type of a vector, or of a field of a tuple; null for others.
const ScalableVectorType *vector_type(const Value &value) {
    const TargetExtType *tuple = as_tuple(value.getType());
    return dyn_cast<ScalableVectorType>(tuple ? tuple->getTypeParameter(0) : value.getType());
}

class VectorIr : public VectorValues {
public:
    bool contains(const Value &value) const override {
        return vector_type(value) && !is_part(value);
    }

    unsigned size(const Value &value) const override {
        const TargetExtType *tuple = as_tuple(value.getType());
        return group(value) * (tuple ? tuple->getIntParameter(0) : 1);
    }

    unsigned group(const Value &value) const override {
        return is_mask(value) ? 0 : registers_of(*vector_type(value));
    }

    void operands(const Instruction &instruction, function_ref<bool(const Value &)> contains,
                  SmallVectorImpl<Value *> &found) const override {
        for (Value *operand : instruction.operands())
            if (contains(*operand)) {
                if (!is_contained(found, operand))
                    found.push_back(operand);
            } else if (auto *part = dyn_cast<Instruction>(operand);
                       part && !isa<PHINode>(part) &&
                       (part->getType()->isVectorTy() || as_tuple(part->getType()))) {
                operands(*part, contains, found);
            }
    }
};

const VectorIr vector_ir;

} // namespace

unsigned registers_of(const VectorType &type) {
    return std::max(1u, unsigned(type.getScalarSizeInBits()) *
                            type.getElementCount().getKnownMinValue() / 64);
}

bool is_plain(const VectorType &type) {
    const Type *element = type.getElementType();
    return registers_of(type) <= largest_lmul &&
           (element->isFloatTy() || element->isDoubleTy() || element->isIntegerTy(8) ||
            element->isIntegerTy(16) || element->isIntegerTy(32) || element->isIntegerTy(64));
}

VectorLiveness::VectorLiveness(Function &function) : VectorLiveness(function, vector_ir) {}

VectorLiveness::VectorLiveness(Function &function, const VectorValues &values) : values_(values) {
    for (llvm::Argument &argument : function.args())
        add(argument);
    for (Instruction &instruction : instructions(function))
        add(instruction);
    if (empty())
        return;
    auto contains = [&](const Value &value) { return numbers_.contains(&value); };
    for (Instruction &instruction : instructions(function))
        if (!isa<PHINode>(instruction)) {
            SmallVector<Value *, 4> found;
            values.operands(instruction, contains, found);
            if (!found.empty())
                operands_[&instruction] = std::move(found);
        }
    find_live(function);
}

ArrayRef<Value *> VectorLiveness::operands(const Instruction &instruction) const {
    auto found = operands_.find(&instruction);
    return found == operands_.end() ? ArrayRef<Value *>() : found->second;
}

ArrayRef<Value *> VectorLiveness::live_in(const BasicBlock &block) const {
    auto found = live_in_.find(&block);
    return found == live_in_.end() ? ArrayRef<Value *>() : found->second;
}

ArrayRef<Value *> VectorLiveness::live_out(const BasicBlock &block) const {
    auto found = live_out_.find(&block);
    return found == live_out_.end() ? ArrayRef<Value *>() : found->second;
}

unsigned VectorLiveness::most_used(const BasicBlock &block) const {
    LivenessWalk walk(*this, block);
    unsigned most = walk.used();
    for (const Instruction &instruction : reverse(block))
        if (!isa<PHINode>(instruction))
            most = std::max(most, walk.pass(instruction));
    return most;
}

void VectorLiveness::add(Value &value) {
    if (!values_.contains(value))
        return;
    largest_ = std::max(largest_, values_.group(value));
    numbers_[&value] = unsigned(all_.size());
    all_.push_back(&value);
}

// Walks from each use backwards to the definition of the value.
void VectorLiveness::find_live(Function &function) {
    std::vector<SmallVector<const BasicBlock *, 4>> wanting(all_.size()); // at their start
    std::vector<SmallVector<const BasicBlock *, 2>> passing(all_.size()); // on, at their end
    for (BasicBlock &block : function)
        for (Instruction &instruction : block) {
            for (Value *operand : operands(instruction))
                wanting[numbers_.at(operand)].push_back(&block);
            if (auto *phi = dyn_cast<PHINode>(&instruction))
                for (auto [value, from] : zip(phi->incoming_values(), phi->blocks()))
                    if (auto found = numbers_.find(values_.whole(value)); found != numbers_.end())
                        passing[found->second].push_back(from);
        }
    for (auto [value, starts, ends] : zip(all_, wanting, passing)) {
        auto *made = dyn_cast<Instruction>(value);
        SmallPtrSet<const BasicBlock *, 8> live_in;
        SmallVector<const BasicBlock *> pending;
        auto lives_at_start = [&](const BasicBlock *block) {
            if ((!made || block != made->getParent()) && live_in.insert(block).second) {
                live_in_[block].push_back(value);
                pending.push_back(block);
            }
        };
        auto lives_at_end = [&](const BasicBlock *block) {
            auto &live = live_out_[block];
            if (live.empty() || live.back() != value)
                live.push_back(value);
            lives_at_start(block);
        };
        for_each(starts, lives_at_start);
        for_each(ends, lives_at_end);
        while (!pending.empty())
            for_each(predecessors(pending.pop_back_val()), lives_at_end);
    }
}

LivenessWalk::LivenessWalk(const VectorLiveness &liveness, const BasicBlock &block)
    : liveness_(liveness) {
    for (Value *value : liveness.live_out(block))
        add(value);
}

unsigned LivenessWalk::used() const { return used_ + (masks_ > 0 ? liveness_.largest() : 0); }

unsigned LivenessWalk::pass(const Instruction &instruction) {
    unsigned after = used() + (live_.contains(&instruction) ? 0 : liveness_.size(&instruction));
    // A wider result must not overlap its operands: RISC-V V 1.0, 5.2.
    const unsigned bits = instruction.getType()->getScalarSizeInBits();
    for (Value *operand : liveness_.operands(instruction))
        if (operand->getType()->getScalarSizeInBits() < bits && !live_.contains(operand))
            after += liveness_.size(operand);
    remove(&instruction);
    for (Value *operand : liveness_.operands(instruction))
        add(operand);
    return std::max(after, used());
}

int LivenessWalk::growth(const Instruction &instruction) const {
    int growth = live_.contains(&instruction) ? -int(liveness_.size(&instruction)) : 0;
    for (Value *operand : liveness_.operands(instruction))
        growth += live_.contains(operand) ? 0 : int(liveness_.size(operand));
    return growth;
}

void LivenessWalk::add(Value *value) {
    if (!live_.insert(value).second)
        return;
    used_ += liveness_.size(value);
    masks_ += is_mask(*value);
}

void LivenessWalk::remove(const Value *value) {
    if (!live_.erase(const_cast<Value *>(value)))
        return;
    used_ -= liveness_.size(value);
    masks_ -= is_mask(*value);
}

} // namespace rivulet::compiler
