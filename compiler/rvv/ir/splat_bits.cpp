// SPDX-License-Identifier: Apache-2.0
//
// Splats the bits of a scalar if the vector unit has no elements of the scalar's type: bitcast
// (insertelement x) becomes insertelement (bitcast x). On a hart with Zfh but without Zvfh, half is
// a legal scalar, but <vscale x 4 x half> is no legal vector, and LLVM can't select an instruction
// for its cast. Code generation for rows emits the second form; InstCombine turns it into the
// first. It does the same to lanes: extractelement (bitcast v), of half or bfloat, becomes bitcast
// (extractelement v). So this runs after all optimisation, and no InstCombine may follow.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/analysis/target_features.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

RVL_FUNCTION_PASS(SplatBitsPass);

namespace {

// Whether the vector unit has elements of a type of 16 bits.
bool has_elements(const llvm::Function &function, const llvm::Type &type) {
    const llvm::StringRef features = target_features(function);
    return type.isBFloatTy() ? has_feature(features, "zvfbfmin")
                             : !type.isHalfTy() || has_feature(features, "zvfhmin");
}

// The lane's bits, if it is one of a cast vector; otherwise null.
llvm::Value *bits_of_lane(llvm::ExtractElementInst &lane, llvm::IRBuilder<> &builder) {
    using namespace llvm::PatternMatch;
    auto *type = llvm::dyn_cast<llvm::ScalableVectorType>(lane.getVectorOperandType());
    llvm::Value *vector = nullptr;
    if (!type || !match(lane.getVectorOperand(), m_BitCast(m_Value(vector))) ||
        has_elements(*lane.getFunction(), *type->getElementType()))
        return nullptr;
    llvm::Type *integers = llvm::VectorType::getInteger(type);
    return builder.CreateExtractElement(builder.CreateBitCast(vector, integers),
                                        lane.getIndexOperand());
}

} // namespace

llvm::PreservedAnalyses SplatBitsPass::run(llvm::Function &function,
                                           llvm::FunctionAnalysisManager &) {
    using namespace llvm::PatternMatch;
    llvm::SmallVector<llvm::WeakTrackingVH> replaced;
    for (llvm::Instruction &cast : llvm::instructions(function)) {
        if (auto *lane = llvm::dyn_cast<llvm::ExtractElementInst>(&cast)) {
            llvm::IRBuilder<> builder(lane);
            if (llvm::Value *bits = bits_of_lane(*lane, builder)) {
                lane->replaceAllUsesWith(builder.CreateBitCast(bits, lane->getType()));
                replaced.emplace_back(lane);
            }
            continue;
        }
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
