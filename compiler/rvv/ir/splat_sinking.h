// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_SPLAT_SINKING_H
#define RIVULET_COMPILER_RVV_IR_SPLAT_SINKING_H

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm

namespace rivulet::compiler {

// Moves copies of scalars to the instructions that take the scalar as it is: code generation, which
// sees one block at a time, joins them then. It could move most of them itself, but numbers a whole
// block for each vector instruction in it, and is told not to. In functions that it copies
// comparisons in, all but those for minimum and maximum are left to it.
void sink_splats(llvm::Function &function, const llvm::TargetMachine &machine);

} // namespace rivulet::compiler

#endif
