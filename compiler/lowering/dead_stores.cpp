// SPDX-License-Identifier: Apache-2.0
//
// Runs LLVM's dead-store elimination on functions that have variables in memory. Stores to other
// memory are rarely dead: EarlyCSE has removed most of those, and LLVM doesn't look at vp.store. As
// the search is slow, other functions are skipped.
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

RVL_FUNCTION_PASS(DeadStoresPass);

llvm::PreservedAnalyses DeadStoresPass::run(llvm::Function &function,
                                            llvm::FunctionAnalysisManager &analyses) {
    const bool has_variables = llvm::any_of(function.getEntryBlock(), [](const auto &each) {
        return llvm::isa<llvm::AllocaInst>(each);
    });
    return has_variables ? llvm::DSEPass().run(function, analyses) : llvm::PreservedAnalyses::all();
}

} // namespace rivulet::compiler
