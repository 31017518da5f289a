// SPDX-License-Identifier: Apache-2.0
//
// Why a work-item function can't be vectorised.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_OBSTACLE_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_OBSTACLE_H

#include <optional>

#include <llvm/IR/PassManager.h>

#include "compiler/spmd/analysis/row_shape.h"

namespace rivulet::compiler {

// Whether the instruction takes or makes a vector. Constants don't count: they are split lane by
// lane if nothing else does.
bool has_vector(const llvm::Instruction &instruction);

// What is left in a function that rows can't execute, after the stages scalarise to canonicalise.
class ObstacleAnalysis : public llvm::AnalysisInfoMixin<ObstacleAnalysis> {
public:
    using Result = std::optional<VectorisationFailure>;
    Result run(llvm::Function &work_item, llvm::FunctionAnalysisManager &analyses);

private:
    friend llvm::AnalysisInfoMixin<ObstacleAnalysis>;
    static llvm::AnalysisKey Key;
};

} // namespace rivulet::compiler

#endif
