// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_SPLAT_SINKING_H
#define RIVULET_COMPILER_RVV_IR_SPLAT_SINKING_H

#include <llvm/IR/PassManager.h>

namespace rivulet::compiler {

// Sinks splats to the instructions that have a .vx or .vf form: instruction selection, which sees
// one block at a time, folds them then. CodeGenPrepare could sink most of them, but numbers a whole
// block for each vector instruction in it, and is told not to. In functions where it sinks
// comparisons, all splats but those for minimum and maximum are left to it.
// Returns whether anything changed.
bool sink_splats(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

} // namespace rivulet::compiler

#endif
