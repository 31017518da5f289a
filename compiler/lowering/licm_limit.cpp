// SPDX-License-Identifier: Apache-2.0
//
// Tells LICM to leave very large loops alone. For each invariant instruction that it can't
// speculate, LICM walks all blocks of the loop that come before it
// (LoopSafetyInfo::allLoopPathsLeadToBlock), which takes the square of the loop's size, and the
// loop over work-groups has all blocks of the kernel. Runs right before each LICM: other passes
// drop the metadata of a loop.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

RVL_FUNCTION_PASS(LicmLimitPass);

// LICM hoists out of loops up to this size; its time grows with the square. A test of bitselect on
// all integer vectors, 156,000 instructions and 8,700 blocks in the loop over work-groups, takes 5
// to 7 s of optimisation instead of 14 to 16; half of it 1.6 s instead of 3.1. With 500 and 2,000
// it has as many instructions and spills.
static llvm::cl::opt<unsigned> licm_max_blocks("rvl-licm-max-blocks", llvm::cl::Hidden,
                                               llvm::cl::init(1'000),
                                               llvm::cl::desc("Blocks of a loop"));

llvm::PreservedAnalyses LicmLimitPass::run(llvm::Function &function,
                                           llvm::FunctionAnalysisManager &analyses) {
    bool changed = false;
    for (llvm::Loop *loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
        if (loop->getNumBlocks() <= licm_max_blocks || llvm::hasDisableLICMTransformsHint(loop))
            continue;
        llvm::addStringMetadataToLoop(loop, "llvm.licm.disable", true);
        changed = true;
    }
    return preserved_unless(changed);
}

} // namespace rivulet::compiler
