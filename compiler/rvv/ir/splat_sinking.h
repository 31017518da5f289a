// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_SPLAT_SINKING_H
#define RIVULET_COMPILER_RVV_IR_SPLAT_SINKING_H

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm

namespace rivulet::compiler {

// Sinks splats to the instructions that have a .vx or .vf form: instruction selection, which sees
// one block at a time, folds them then. CodeGenPrepare could sink most of them, but numbers a whole
// block for each vector instruction in it, and is told not to. In functions where it sinks
// comparisons, all splats but those for minimum and maximum are left to it.
void sink_splats(llvm::Function &function, const llvm::TargetMachine &machine);

} // namespace rivulet::compiler

#endif
