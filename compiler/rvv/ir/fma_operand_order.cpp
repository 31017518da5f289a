// SPDX-License-Identifier: Apache-2.0
//
// Orders the factors of vector multiply-adds. vfmadd.vv overwrites one of its factors, and if both
// die there, LLVM's code generator overwrites the second. If that one is carried around a loop, it
// must be in the same register at the end of the iteration, so LLVM copies it, a whole register
// group, in each iteration. This pass puts the factor that is computed in the same block second.
//
// Multiplication commutes, so the order is free. Runs late: InstCombine sorts operands by rank and
// would undo it.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/analysis/operations.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(FmaOperandOrderPass);

namespace {

// Whether the factor is computed in the product's block and dies there.
bool is_only_for(const Value &factor, const Instruction &product) {
    const auto *instruction = dyn_cast<Instruction>(&factor);
    return instruction && !isa<PHINode>(instruction) && instruction->hasOneUse() &&
           instruction->getParent() == product.getParent();
}

} // namespace

PreservedAnalyses FmaOperandOrderPass::run(Function &function, FunctionAnalysisManager &) {
    for (Instruction &instruction : instructions(function)) {
        if (!instruction.getType()->isVectorTy() || !is_fma(instruction))
            continue;
        Use &first = instruction.getOperandUse(0), &second = instruction.getOperandUse(1);
        if (is_only_for(*first, instruction) && !is_only_for(*second, instruction))
            first.swap(second);
    }
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
