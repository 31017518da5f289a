// SPDX-License-Identifier: Apache-2.0
//
// From one work-item to the lanes of the vector unit.
#ifndef RIVULET_COMPILER_SPMD_VECTORISE_H
#define RIVULET_COMPILER_SPMD_VECTORISE_H

#include <expected>
#include <string>

#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/PassManager.h>

namespace rivulet::compiler {

struct Obstacle {
    std::string reason;
    llvm::DebugLoc place;
};

// The work-item function's row (../workgroup/row.h) for the vector unit, or why there is none.
// The function is simplified on the way, and stays as good as before.
std::expected<llvm::Function *, Obstacle> vectorise(llvm::Function &work_item,
                                                    llvm::FunctionAnalysisManager &analyses);

} // namespace rivulet::compiler

#endif
