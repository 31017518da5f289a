// SPDX-License-Identifier: Apache-2.0
//
// Orders the factors of vector multiply-adds. vfmadd.vv overwrites one of its factors, and code
// generation takes the second where both are killed there. This pass makes the second one a value
// that only this block has: the other may be carried by a loop, and a carried value must keep its
// register, so LLVM would copy it in each iteration.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/analysis/operations.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(FmaOperandOrderPass);

namespace {

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
