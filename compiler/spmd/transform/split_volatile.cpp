// SPDX-License-Identifier: Apache-2.0
//
// Splits volatile loads and stores of vectors into accesses of their elements, which the scalarizer
// leaves alone. OpenCL C says no more of volatile than C does: how memory of a vector is accessed
// is up to the implementation. Without this pass a kernel with a volatile vector is not vectorised.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(SplitVolatilePass);

PreservedAnalyses SplitVolatilePass::run(Function &function, FunctionAnalysisManager &) {
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        if (!instruction.isVolatile() || !isa<LoadInst, StoreInst>(instruction))
            continue;
        auto *type = dyn_cast<FixedVectorType>(getLoadStoreType(&instruction));
        if (!type)
            continue;
        IRBuilder<> builder(&instruction);
        auto *load = dyn_cast<LoadInst>(&instruction);
        Type *part = type->getElementType();
        const uint64_t bytes = function.getDataLayout().getTypeStoreSize(part);
        Value *result = PoisonValue::get(type);
        for (unsigned i = 0; i < type->getNumElements(); ++i) {
            Value *at = builder.CreateConstInBoundsGEP1_32(
                part, getLoadStorePointerOperand(&instruction), i);
            const Align align = commonAlignment(getLoadStoreAlignment(&instruction), i * bytes);
            Instruction *access;
            if (load) {
                access = builder.CreateAlignedLoad(part, at, align, /*isVolatile=*/true);
                result = builder.CreateInsertElement(result, access, i);
            } else {
                access = builder.CreateAlignedStore(
                    builder.CreateExtractElement(instruction.getOperand(0), i), at, align,
                    /*isVolatile=*/true);
            }
            access->setAAMetadata(instruction.getAAMetadata());
        }
        if (load)
            load->replaceAllUsesWith(result);
        instruction.eraseFromParent();
    }
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
