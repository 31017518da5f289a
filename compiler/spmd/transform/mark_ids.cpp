// SPDX-License-Identifier: Apache-2.0
//
// Marks sums and products that make up global ids as nuw and nsw, also those that a kernel computes
// itself as an int: global ids are below 2^31. LLVM's passes drop these flags where they move or
// reuse instructions, so the pass runs after each round of simplification. Differences that a
// dominating condition keeps above zero are marked, too.
//
// Stride analysis extends an index to 64 bits only if it doesn't wrap; without the flags, x + 1 as
// an index of a buffer is a gather.
#include "compiler/spmd/transform/mark_ids.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/spmd/analysis/global_ids.h"
#include "compiler/support/function_pass.h"
#include "compiler/work_items/parameters.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(MarkIdsPass);

namespace {

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

void mark_ids(Function &work_item) {
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

PreservedAnalyses MarkIdsPass::run(Function &function, FunctionAnalysisManager &) {
    mark_ids(function);
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
