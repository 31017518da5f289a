// SPDX-License-Identifier: Apache-2.0
//
// Replaces unreachable terminators by returns, so that all ends of a work-item function are
// returns. mergereturn merges those into one, and vectorised control flow needs a single exit. An
// end that only some lanes reach would otherwise be a second one. (mergereturn knows unreachable
// blocks as well, but keeps them apart from returns.)
//
// Behaviour there is undefined, so returning is as good as anything. Expects functions that return
// nothing, as all work-item functions do.
#include <llvm/IR/Instructions.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(EndUnreachablePass);

PreservedAnalyses EndUnreachablePass::run(Function &function, FunctionAnalysisManager &) {
    bool changed = false;
    for (BasicBlock &block : function)
        if (auto *end = dyn_cast<UnreachableInst>(block.getTerminator())) {
            ReturnInst::Create(function.getContext(), nullptr, end->getIterator());
            end->eraseFromParent();
            changed = true;
        }
    return preserved_unless(changed);
}

} // namespace rivulet::compiler
