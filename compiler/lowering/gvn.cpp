// SPDX-License-Identifier: Apache-2.0
//
// Runs LLVM's GVN, without loads in long functions. GVN searches for partially redundant loads on
// all paths that lead to them, in time quadratic in a function's length. EarlyCSE has already found
// the loads that a dominating block repeats, so little is lost.
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Scalar/GVN.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

RVL_FUNCTION_PASS(GvnPass);

// GVN numbers loads in functions up to this size; its time grows with the square. sgemm_tiled
// builds with 347 million x86 instructions instead of 360; of 170 kernels the retired instructions
// of one change, by 0.6 and 0.9 %.
static llvm::cl::opt<unsigned>
    gvn_loads_max_instructions("rvl-gvn-loads-max-instructions", llvm::cl::Hidden,
                               llvm::cl::init(500), llvm::cl::desc("Instructions of a function"));

llvm::PreservedAnalyses GvnPass::run(llvm::Function &function,
                                     llvm::FunctionAnalysisManager &analyses) {
    const bool with_loads = function.getInstructionCount() <= gvn_loads_max_instructions;
    return llvm::GVNPass(llvm::GVNOptions().setMemDep(with_loads)).run(function, analyses);
}

} // namespace rivulet::compiler
