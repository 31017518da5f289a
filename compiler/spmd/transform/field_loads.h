// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_FIELD_LOADS_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_FIELD_LOADS_H

#include <llvm/IR/PassManager.h>

namespace rivulet::compiler {

// Fields that fill an aligned word of 32 bits, at addresses that differ in any way between lanes,
// come as that word: an access for each of them would be dearer than a shift. Needs LaneAnalysis.
// Says whether there are any.
bool merge_field_loads(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

} // namespace rivulet::compiler

#endif
