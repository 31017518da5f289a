// SPDX-License-Identifier: Apache-2.0
#include "compiler/rvv/ir/fma_operand_order.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/analysis/operations.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

bool is_only_for(const Value &factor, const Instruction &product) {
    const auto *instruction = dyn_cast<Instruction>(&factor);
    return instruction && !isa<PHINode>(instruction) && instruction->hasOneUse() &&
           instruction->getParent() == product.getParent();
}

} // namespace

void order_fma_operands(Function &function) {
    for (Instruction &instruction : instructions(function)) {
        if (!instruction.getType()->isVectorTy() || !is_fma(instruction))
            continue;
        Use &first = instruction.getOperandUse(0), &second = instruction.getOperandUse(1);
        if (is_only_for(*first, instruction) && !is_only_for(*second, instruction))
            first.swap(second);
    }
}

} // namespace rivulet::compiler
