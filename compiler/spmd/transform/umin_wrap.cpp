// SPDX-License-Identifier: Apache-2.0
//
// Rewrites x - (x < n ? 0 : n) of unsigned numbers as umin(x, x - n). InstCombine makes the former
// from x >= n ? x - n : x, an index that wraps around at n. Where x < n the difference wraps and is
// the larger of the two numbers. One vector instruction replaces a comparison and a merge under a
// mask.
//
// Only if the select has no other use, since it would stay otherwise.
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
        Value *condition = nullptr;
        // InstCombine puts instructions before arguments, so n may come first.
        if (!match(&instruction, m_Sub(m_Value(x), m_OneUse(m_Select(m_Value(condition), m_Zero(),
                                                                     m_Value(n))))) ||
            !(match(condition, m_SpecificICmp(CmpInst::ICMP_ULT, m_Specific(x), m_Specific(n))) ||
              match(condition, m_SpecificICmp(CmpInst::ICMP_UGT, m_Specific(n), m_Specific(x)))))
            continue;
        IRBuilder<> builder(&instruction);
        instruction.replaceAllUsesWith(
            builder.CreateBinaryIntrinsic(Intrinsic::umin, x, builder.CreateSub(x, n)));
        replaced.emplace_back(&instruction);
    }
    const bool changed = !replaced.empty();
    RecursivelyDeleteTriviallyDeadInstructions(replaced);
    return preserved_unless(changed);
}

} // namespace rivulet::compiler
