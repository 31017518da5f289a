// SPDX-License-Identifier: Apache-2.0
//
// Unrolls short loops of known length completely, before work-items become lanes. Private arrays
// that such a loop indexes become values then, and addresses get known offsets. Otherwise each lane
// would have the array in memory, accessed by gathers and scatters.
//
// Uses LLVM's pass with its thresholds of -O3, which count the instructions that unrolling
// simplifies. Runs after SROA, which turns
// counters into values; SROA runs again for the arrays.
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

RVL_FUNCTION_PASS(FullUnrollPass);

llvm::PreservedAnalyses FullUnrollPass::run(llvm::Function &function,
                                            llvm::FunctionAnalysisManager &analyses) {
    return llvm::createFunctionToLoopPassAdaptor(llvm::LoopFullUnrollPass(3))
        .run(function, analyses);
}

} // namespace rivulet::compiler
