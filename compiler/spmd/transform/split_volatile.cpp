// SPDX-License-Identifier: Apache-2.0
//
// Splits volatile loads and stores of vectors into accesses of their elements. The scalarizer
// leaves volatile accesses alone, so without this pass a kernel with a volatile vector is not
// vectorised. OpenCL C says no more about volatile than C: by how many accesses an object is read
// is up to the implementation. The elements are accessed in ascending order.
//
// Elements must be addressable: a vector of bits, or of 24-bit integers, is stored without gaps.
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
        const DataLayout &layout = function.getDataLayout();
        if (!type || layout.getTypeAllocSizeInBits(type->getElementType()) !=
                         layout.getTypeSizeInBits(type->getElementType()))
            continue;
        IRBuilder<> builder(&instruction);
        auto *load = dyn_cast<LoadInst>(&instruction);
        Type *part = type->getElementType();
        const uint64_t bytes = layout.getTypeStoreSize(part);
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
