// SPDX-License-Identifier: Apache-2.0
#include "compiler/rvv/ir/mask_in_sign_bit.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsRISCV.h>
#include <llvm/TargetParser/RISCVTargetParser.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/analysis/fp_sign_bit_facts.h"
#include "compiler/rvv/ir/vector_liveness.h"

namespace rivulet::compiler {

using namespace llvm;

// Masks that are wanted earlier stay in a register.
constexpr ptrdiff_t sign_mask_min_stay = 6; // instructions of a block

namespace {

Use *only_use(Instruction &value) { return value.hasOneUse() ? &*value.use_begin() : nullptr; }

Instruction &user_of(const Use &use) { return *cast<Instruction>(use.getUser()); }

Instruction &first_user(const Use &one, const Use &other) {
    return user_of(one).comesBefore(&user_of(other)) ? user_of(one) : user_of(other);
}

bool is_between(const Instruction &value, const BasicBlock &block) {
    return value.getParent() == &block && !isa<PHINode>(value) && !value.isTerminator();
}

// Adds the instruction and what it is made of behind `start`, if all of it can be there.
bool add_with_operands(Instruction &wanting, const Instruction &start,
                       SmallSetVector<Instruction *, 8> &moved) {
    size_t i = moved.size();
    for (moved.insert(&wanting); i < moved.size(); ++i) {
        if (moved[i]->mayReadOrWriteMemory() || moved[i]->mayHaveSideEffects())
            return false;
        for (Value *operand : moved[i]->operands())
            if (auto *made = dyn_cast<Instruction>(operand);
                made && made->getParent() == start.getParent() && start.comesBefore(made))
                moved.insert(made);
    }
    return true;
}

bool may_be_host(const Instruction &value, const CmpInst &mask) {
    auto *type = dyn_cast<ScalableVectorType>(value.getType());
    return type && !isa<PHINode>(value) && type->isFPOrFPVectorTy() && is_plain(*type) &&
           type->getElementCount() == cast<VectorType>(mask.getType())->getElementCount() &&
           is_never_negative(value);
}

} // namespace

SignBitMasks::SignBitMasks(BasicBlock &block, Length length) {
    SmallVector<CmpInst *, 4> masks;
    for (Instruction &instruction : block)
        if (auto *mask = dyn_cast<CmpInst>(&instruction);
            mask && isa<ScalableVectorType>(mask->getType()))
            masks.push_back(mask);
    for (CmpInst *mask : masks) {
        Value *lanes = length(*mask);
        std::optional<Candidate> longest;
        for (Instruction &host : block)
            if (lanes && may_be_host(host, *mask) && length(host) == lanes)
                if (std::optional<Candidate> found = find_host(*mask, host);
                    found && found->stay >= (longest ? longest->stay + 1 : sign_mask_min_stay))
                    longest = std::move(found);
        if (longest)
            move_to_sign_bit(*longest, lanes);
    }
}

// The mask goes to its host as soon as both are computed. Later users of the mask's operands still
// come after it.
std::optional<SignBitMasks::Candidate> SignBitMasks::find_host(CmpInst &mask, Instruction &host) {
    const BasicBlock &block = *host.getParent();
    Use *mask_use = only_use(mask);
    Use *host_use = only_use(host);
    if (!mask_use || !host_use || host_use->getUser() == &mask ||
        !is_between(user_of(*mask_use), block) || !is_between(user_of(*host_use), block))
        return std::nullopt;
    Instruction &end = first_user(*mask_use, *host_use);
    Instruction *last = &host;
    SmallVector<Instruction *, 4> late;
    for (Value *operand : mask.operands())
        if (auto *compared = dyn_cast<Instruction>(operand)) {
            if (is_between(*compared, block) && last->comesBefore(compared))
                last = compared;
            if (getSplatValue(compared))
                continue;
            for (User *user : compared->users()) {
                auto &wanting = *cast<Instruction>(user);
                if (!is_between(wanting, block))
                    return std::nullopt;
                if (&wanting != &mask && !wanting.comesBefore(&end))
                    late.push_back(&wanting);
            }
        }
    SmallSetVector<Instruction *, 8> moved;
    if (!last->comesBefore(&end) || any_of(late, [&](Instruction *wanting) {
            return !add_with_operands(*wanting, *last, moved);
        }))
        return std::nullopt;
    if (moved.contains(&user_of(*mask_use)) || moved.contains(&user_of(*host_use)))
        return std::nullopt;
    Candidate result{&mask,
                     mask_use,
                     &host,
                     host_use,
                     last,
                     {},
                     std::distance(last->getIterator(), end.getIterator())};
    result.moved.append(moved.begin(), moved.end());
    sort(result.moved, [](auto *one, auto *other) { return one->comesBefore(other); });
    return result;
}

void SignBitMasks::move_to_sign_bit(const Candidate &candidate, Value *length) {
    auto &[mask, mask_use, host, host_use, last, moved, stay] = candidate;
    mask->moveAfter(last);
    for (Instruction *instruction : moved)
        instruction->moveBefore(mask->getIterator());
    auto *type = cast<VectorType>(host->getType());
    Type *bits = VectorType::getInteger(type);
    Type *element = bits->getScalarType();
    Value *none = PoisonValue::get(type);
    IRBuilder<> builder(mask->getParent(), std::next(mask->getIterator()));
    builder.SetCurrentDebugLocation(mask->getDebugLoc());
    Value *both = builder.CreateBitCast(
        builder.CreateIntrinsic(Intrinsic::riscv_vfsgnjn_mask, {type, type, length->getType()},
                                {host, host, host, mask, length,
                                 ConstantInt::get(length->getType(), RISCVVType::TAIL_AGNOSTIC)}),
        bits);
    builder.SetInsertPoint(&first_user(*mask_use, *host_use));
    Instruction *sign =
        builder.CreateIntrinsic(Intrinsic::riscv_vmslt, {bits, element, length->getType()},
                                {both, ConstantInt::get(element, 0), length});
    builder.SetInsertPoint(&user_of(*host_use));
    Value *number = builder.CreateBitCast(both, type);
    Instruction *restored = builder.CreateIntrinsic(
        Intrinsic::riscv_vfsgnjx, {type, type, length->getType()}, {none, number, number, length});
    mask_use->set(sign);
    host_use->set(restored);
    moved_masks_.push_back({mask, mask_use, host, host_use, sign, restored});
}

void SignBitMasks::undo() {
    for (auto &[mask, mask_use, host, host_use, sign, restored] : reverse(moved_masks_)) {
        mask_use->set(mask);
        host_use->set(host);
        for (Instruction *unused : {restored, sign})
            RecursivelyDeleteTriviallyDeadInstructions(unused);
    }
    moved_masks_.clear();
}

} // namespace rivulet::compiler
