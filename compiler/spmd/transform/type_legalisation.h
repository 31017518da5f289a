// SPDX-License-Identifier: Apache-2.0
//
// Values of types that the vector unit has no elements for, in elements that it has: 64 bits as
// two words, half as its bits. Arithmetic that has no short form on those runs lane after lane.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_TYPE_LEGALISATION_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_TYPE_LEGALISATION_H

#include <llvm/IR/PassManager.h>

namespace rivulet::compiler {

// Needs LaneAnalysis. Whether anything changed, which leaves the control flow alone.
bool legalise_types(llvm::Function &work_item, llvm::FunctionAnalysisManager &analyses);

} // namespace rivulet::compiler

#endif
