// SPDX-License-Identifier: Apache-2.0
//
// Splats the bits of a scalar if the vector unit has no elements of the scalar's type: bitcast
// (insertelement x) becomes insertelement (bitcast x). On a hart with Zfh but without Zvfh, half is
// a legal scalar, but <vscale x 4 x half> is no legal vector, and LLVM can't select an instruction
// for its cast. Code generation for rows emits the second form; InstCombine turns it into the
// first. So this runs after all optimisation, and no InstCombine may follow.
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
