// SPDX-License-Identifier: Apache-2.0
//
// Splats the bits of a scalar where the vector unit has no elements of the scalar's type: bitcast
// (insertelement x) becomes insertelement (bitcast x). InstCombine turns the second form into the
// first, and code generation has no vectors of that type to cast; so this runs after all
// optimisation.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

RVL_FUNCTION_PASS(SplatBitsPass);

llvm::PreservedAnalyses SplatBitsPass::run(llvm::Function &function,
                                           llvm::FunctionAnalysisManager &) {
    using namespace llvm::PatternMatch;
    llvm::SmallVector<llvm::WeakTrackingVH> replaced;
    for (llvm::Instruction &cast : llvm::instructions(function)) {
        auto *type = llvm::dyn_cast<llvm::ScalableVectorType>(cast.getType());
        llvm::Value *scalar = nullptr, *lane = nullptr;
        if (!type ||
            !match(&cast, m_BitCast(m_InsertElt(m_Poison(), m_Value(scalar), m_Value(lane)))) ||
            scalar->getType()->getPrimitiveSizeInBits() != type->getScalarSizeInBits())
            continue;
        llvm::IRBuilder<> builder(&cast);
        cast.replaceAllUsesWith(builder.CreateInsertElement(
            llvm::PoisonValue::get(type), builder.CreateBitCast(scalar, type->getElementType()),
            lane));
        replaced.emplace_back(&cast);
    }
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
    return llvm::PreservedAnalyses::none();
}

} // namespace rivulet::compiler
