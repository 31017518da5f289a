// SPDX-License-Identifier: Apache-2.0
//
// Replaces unreachable terminators by returns. All ends of a work-item function are returns then,
// which mergereturn merges into one; vectorised control flow has a single exit.
#include <llvm/IR/Instructions.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(EndUnreachablePass);

PreservedAnalyses EndUnreachablePass::run(Function &function, FunctionAnalysisManager &) {
    for (BasicBlock &block : function)
        if (auto *end = dyn_cast<UnreachableInst>(block.getTerminator())) {
            ReturnInst::Create(function.getContext(), nullptr, end->getIterator());
            end->eraseFromParent();
        }
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
