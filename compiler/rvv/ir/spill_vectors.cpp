// SPDX-License-Identifier: Apache-2.0
//
// Spills where vectors don't fit into registers in spite of rvl-vector-pressure: chooses which
// values are spilled and when, and which are rematerialised instead, in blocks whose live-in and
// live-out values fit. Avoids the stack where that takes only a few instructions more. Runs on the
// third try only (codegen_driver.cpp), on functions that LLVM spills in loops: spill_planner.cpp
// decides, spill_rewriter.cpp writes the code.
#include "compiler/rvv/ir/vector_pressure.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

RVL_FUNCTION_PASS(SpillVectorsPass);

llvm::PreservedAnalyses SpillVectorsPass::run(llvm::Function &function,
                                              llvm::FunctionAnalysisManager &) {
    return preserved_unless(spill_vectors(function));
}

} // namespace rivulet::compiler
