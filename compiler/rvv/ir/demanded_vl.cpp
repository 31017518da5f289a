// SPDX-License-Identifier: Apache-2.0
#include "compiler/rvv/ir/demanded_vl.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsRISCV.h>
#include <llvm/IR/PatternMatch.h>

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

bool is_vector_or_tuple(const Value &value) {
    return isa<ScalableVectorType>(value.getType()) || isa<TargetExtType>(value.getType());
}

// Whether each lane of the result depends on the same lane of the operands only.
bool is_by_lane(const Instruction &instruction) {
    if (!is_vector_or_tuple(instruction))
        return false;
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
        return isTriviallyVectorizable(call->getIntrinsicID()) ||
               call->getIntrinsicID() == Intrinsic::riscv_tuple_insert ||
               call->getIntrinsicID() == Intrinsic::riscv_tuple_extract;
    if (auto *cast = dyn_cast<BitCastInst>(&instruction)) {
        auto *from = dyn_cast<VectorType>(cast->getSrcTy());
        auto *to = dyn_cast<VectorType>(cast->getDestTy());
        return from && to && from->getElementCount() == to->getElementCount();
    }
    return isa<UnaryOperator, BinaryOperator, CmpInst, SelectInst, CastInst, PHINode, FreezeInst,
               GetElementPtrInst>(instruction);
}

// The VL of an instruction that has one as an operand: VP intrinsics, and RVV's, whose last operand
// that isn't an immediate is VL. Slides and gathers read beyond it.
IntrinsicInst *own_length(const Instruction &instruction) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call)
        return nullptr;
    Value *length = nullptr;
    if (auto *vector = dyn_cast<VPIntrinsic>(call)) {
        if (!isa<VPReductionIntrinsic>(call) && !vector->getFunctionalOpcode() &&
            !vector->getFunctionalIntrinsicID() && !vector->getMemoryPointerParam())
            return nullptr;
        length = vector->getVectorLengthParam();
    } else {
        const StringRef name = call->getCalledFunction()->getName();
        if (!name.starts_with("llvm.riscv.v") || name.contains("slide") || name.contains("gather"))
            return nullptr;
        unsigned last = call->arg_size();
        while (last > 0 && call->paramHasAttr(last - 1, Attribute::ImmArg))
            --last;
        if (last == 0)
            return nullptr;
        length = call->getArgOperand(last - 1);
    }
    Value *whole = nullptr;
    if (length && match(length, m_ZExtOrTruncOrSelf(m_Value(whole))) &&
        match(whole, m_Intrinsic<Intrinsic::riscv_vsetvli>()))
        return cast<IntrinsicInst>(whole);
    return nullptr;
}

} // namespace

bool counts_lanes_of(const IntrinsicInst &vsetvli, const VectorType &type) {
    // The fields of vtype: RISC-V V 1.0, 3.4.
    auto field = [&](unsigned i) {
        return cast<ConstantInt>(vsetvli.getArgOperand(i))->getZExtValue();
    };
    constexpr unsigned eighths[] = {8, 16, 32, 64, 0, 1, 2, 4};
    const uint64_t lanes = eighths[field(2)] >> field(1);
    return lanes == type.getElementCount().getKnownMinValue();
}

DemandedVl::DemandedVl(Function &function, const DominatorTree &dominators)
    : dominators_(dominators) {
    for (Instruction &instruction : instructions(function)) {
        if (is_by_lane(instruction))
            continue;
        IntrinsicInst *length = own_length(instruction);
        for (Value *operand : instruction.operands())
            demand(*operand, length);
    }
    while (!changed_.empty()) {
        Instruction *instruction = changed_.pop_back_val();
        pass_on(*instruction, lengths_.lookup(instruction));
    }
}

void DemandedVl::demand(Value &vector, IntrinsicInst *length) {
    auto *instruction = dyn_cast<Instruction>(&vector);
    if (!instruction || !is_vector_or_tuple(vector))
        return;
    auto [known, is_new] = lengths_.insert({instruction, length});
    if (!is_new) {
        if (known->second == length || !known->second)
            return;
        known->second = nullptr;
    }
    changed_.push_back(instruction);
}

// Demands the lanes of a result from its operands. A vector that a loop carries was computed in an
// earlier iteration, whose VL may have been another one, so all of its lanes are demanded unless
// the length is set outside of the loop. An instruction with its own VL takes the lanes beyond it
// from one operand, of which they are demanded.
void DemandedVl::pass_on(Instruction &instruction, IntrinsicInst *length) {
    if (!is_by_lane(instruction)) {
        if (isa<IntrinsicInst>(instruction) && !isa<VPIntrinsic>(instruction))
            demand(*instruction.getOperand(0), length);
        else if (match(&instruction, m_Intrinsic<Intrinsic::vp_merge>()))
            demand(*instruction.getOperand(2), length);
        return;
    }
    auto *phi = dyn_cast<PHINode>(&instruction);
    if (phi && length && !dominators_.dominates(length, phi->getParent()))
        length = nullptr;
    for (Value *operand : instruction.operands())
        demand(*operand, length);
}

} // namespace rivulet::compiler
