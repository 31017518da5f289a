// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/analysis/id_no_wrap_inference.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/work_items/parameters.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

bool is_global_id(const Instruction &sum) {
    const Function &work_item = *sum.getFunction();
    for (unsigned side : {0u, 1u}) {
        const Value *start = sum.getOperand(side);
        auto d = times_local_size(*start, parameter::group_id);
        for (unsigned i = 0; !d && i < 3; ++i)
            if (start == work_item.getArg(parameter::first_id + i))
                d = i;
        if (d && sum.getOperand(1 - side) == work_item.getArg(parameter::id + *d))
            return true;
    }
    return false;
}

// There are less than 2^31 of them, in each dimension.
bool is_next_id(const Instruction &sum) {
    auto *id = dyn_cast<llvm::Argument>(sum.getOperand(0));
    auto *one = dyn_cast<ConstantInt>(sum.getOperand(1));
    return id && one && one->isOne() && id->getArgNo() >= parameter::id &&
           id->getArgNo() < parameter::id + 3;
}

// a - b, also as a + -b, where control comes only if a >= b.
bool is_guarded_non_negative(const Instruction &instruction) {
    Value *left = nullptr;
    Value *right = nullptr;
    const APInt *negative = nullptr;
    if (match(&instruction, m_Add(m_Value(left), m_APInt(negative))) && negative->isNegative())
        right = ConstantInt::get(left->getType(), -*negative);
    else if (!match(&instruction, m_Sub(m_Value(left), m_Value(right))))
        return false;
    const BasicBlock *block = instruction.getParent();
    while (const BasicBlock *before = block->getSinglePredecessor()) {
        auto *branch = dyn_cast<BranchInst>(before->getTerminator());
        if (branch && branch->isConditional() &&
            branch->getSuccessor(0) != branch->getSuccessor(1) &&
            isImpliedCondition(branch->getCondition(), ICmpInst::ICMP_UGE, left, right,
                               instruction.getDataLayout(), branch->getSuccessor(0) == block)
                .value_or(false))
            return true;
        block = before;
    }
    return false;
}

bool is_id(const Value *value) {
    auto *argument = dyn_cast<llvm::Argument>(value);
    auto *sum = dyn_cast<BinaryOperator>(value);
    return (argument && argument->getArgNo() < parameter::first_id + 3) ||
           (sum && sum->getOpcode() == Instruction::Add && is_global_id(*sum));
}

// The difference as a sum wraps, but not as a signed one.
void mark_difference(Instruction &difference) {
    if (difference.getOpcode() == Instruction::Sub) {
        difference.setHasNoUnsignedWrap();
    } else if (is_id(difference.getOperand(0))) {
        difference.setHasNoSignedWrap();
        for (User *user : difference.users())
            if (auto *wide = dyn_cast<ZExtInst>(user))
                wide->setNonNeg();
    }
}

} // namespace

std::optional<unsigned> times_local_size(const Value &value, unsigned factor) {
    auto *product = dyn_cast<BinaryOperator>(&value);
    if (!product || product->getOpcode() != Instruction::Mul)
        return std::nullopt;
    for (unsigned side : {0u, 1u}) {
        auto *first = dyn_cast<llvm::Argument>(product->getOperand(side));
        auto *size = dyn_cast<llvm::Argument>(product->getOperand(1 - side));
        for (unsigned d = 0; first && size && d < 3; ++d)
            if (first->getArgNo() == factor + d &&
                (size->getArgNo() == parameter::local_size + d ||
                 size->getArgNo() == parameter::enqueued_local_size + d))
                return d;
    }
    return std::nullopt;
}

bool is_next_or_global_id(const Instruction &instruction) {
    return instruction.getOpcode() == Instruction::Add &&
           (is_global_id(instruction) || is_next_id(instruction));
}

void infer_id_no_wrap(Function &work_item) {
    for (Instruction &instruction : instructions(work_item)) {
        if (times_local_size(instruction, parameter::group_id) ||
            is_next_or_global_id(instruction)) {
            instruction.setHasNoUnsignedWrap();
            instruction.setHasNoSignedWrap();
        } else if (instruction.getType()->isIntegerTy(32) && is_guarded_non_negative(instruction)) {
            mark_difference(instruction);
        }
    }
}

} // namespace rivulet::compiler
