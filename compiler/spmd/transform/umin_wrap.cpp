// SPDX-License-Identifier: Apache-2.0
//
// Rewrites x - (x < n ? 0 : n) of unsigned numbers, which is what InstCombine makes of x >= n ? x -
// n : x, as umin(x, x - n): where x < n the difference wraps and is the larger of the two. One
// vector instruction replaces a comparison and a merge under a mask.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(UminWrapPass);

PreservedAnalyses UminWrapPass::run(Function &function, FunctionAnalysisManager &) {
    SmallVector<WeakTrackingVH> replaced;
    for (Instruction &instruction : instructions(function)) {
        Value *x = nullptr;
        Value *n = nullptr;
        auto less = m_SpecificICmp(CmpInst::ICMP_ULT, m_Deferred(x), m_Deferred(n));
        if (!match(&instruction,
                   m_Sub(m_Value(x), m_OneUse(m_Select(m_Value(), m_Zero(), m_Value(n))))) ||
            !match(cast<User>(instruction.getOperand(1))->getOperand(0), less))
            continue;
        IRBuilder<> builder(&instruction);
        instruction.replaceAllUsesWith(
            builder.CreateBinaryIntrinsic(Intrinsic::umin, x, builder.CreateSub(x, n)));
        replaced.emplace_back(&instruction);
    }
    RecursivelyDeleteTriviallyDeadInstructions(replaced);
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
