// SPDX-License-Identifier: Apache-2.0
//
// Plans spills in blocks whose vectors don't fit into registers in spite of rvl-vector-pressure.
// LLVM's greedy allocator splits live ranges one by one and sees no block as a whole; it also
// doesn't know how many lanes of a vector are in use and stores whole groups of up to eight
// registers. The plan chooses which values are spilled and when they are reloaded, with the strip's
// VL, and which are rematerialised instead. It avoids the stack if that takes only a few more
// instructions.
//
// Blocks whose live-in and live-out values alone don't fit are left to LLVM. Runs on the third try
// only (codegen_driver.cpp), on functions that LLVM spills in loops: spill_planner.cpp decides,
// spill_rewriter.cpp writes the code, vector_pressure.cpp calls both.
#include "compiler/rvv/ir/vector_pressure.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

RVL_FUNCTION_PASS(SpillVectorsPass);

llvm::PreservedAnalyses SpillVectorsPass::run(llvm::Function &function,
                                              llvm::FunctionAnalysisManager &) {
    return preserved_unless(spill_vectors(function));
}

} // namespace rivulet::compiler
