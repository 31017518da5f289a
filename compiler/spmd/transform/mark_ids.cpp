// SPDX-License-Identifier: Apache-2.0
//
// Marks the sums and products that make up global ids as nuw and nsw, also where a kernel computes
// an id itself, as get_group_id(0) * get_local_size(0) + get_local_id(0). The host refuses NDRanges
// with global ids of 2^31 or more, so the flags hold in every lane, active or not. Differences that
// a dominating condition keeps at zero or above are marked, too.
//
// LLVM's passes drop flags where they move or reuse instructions, so the pass runs after each round
// of simplification. Stride analysis extends an index to 64 bits only if it doesn't wrap: without
// these flags x + 1 as an index of a buffer is a gather.
#include "compiler/spmd/transform/mark_ids.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/spmd/analysis/global_ids.h"
#include "compiler/support/function_pass.h"
#include "compiler/work_items/parameters.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(MarkIdsPass);

namespace {

// Whether the instruction is a - b, also as a + -b, and control reaches it only if a >= b without
// sign. Conditions are found on the chain of single predecessors; isImpliedCondition() knows what
// each implies. Unreachable blocks may be a circle of single predecessors.
bool is_guarded_non_negative(const Instruction &instruction) {
    const auto step = affine_step(instruction, Meaning::ring);
    if (!step || !step->right || step->is_product)
        return false;
    const Value *right = step->right;
    if (step->is_sum()) {
        auto *negative = dyn_cast<ConstantInt>(right);
        if (!negative || !negative->isNegative())
            return false;
        right = ConstantInt::get(right->getType(), -negative->getValue());
    }
    const BasicBlock *block = instruction.getParent();
    SmallPtrSet<const BasicBlock *, 8> seen;
    while (const BasicBlock *before = block->getSinglePredecessor()) {
        if (!seen.insert(before).second)
            return false;
        auto *branch = dyn_cast<BranchInst>(before->getTerminator());
        if (branch && branch->isConditional() &&
            branch->getSuccessor(0) != branch->getSuccessor(1) &&
            isImpliedCondition(branch->getCondition(), ICmpInst::ICMP_UGE, step->left, right,
                               instruction.getDataLayout(), branch->getSuccessor(0) == block)
                .value_or(false))
            return true;
        block = before;
    }
    return false;
}

bool is_id(const Value *value) {
    auto *argument = dyn_cast<llvm::Argument>(value);
    return argument ? argument->getArgNo() < parameter::first_id + 3 : is_global_id(*value);
}

// A subtraction gets nuw. A sum with a negative constant does wrap as an unsigned one; as a signed
// one it doesn't if an id is made smaller, and its extensions are of a number that isn't negative.
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
