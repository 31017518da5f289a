// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_CANONICALISE_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_CANONICALISE_H

#include <optional>

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include "compiler/spmd/analysis/row_shape.h"

namespace rivulet::compiler {

// Brings a work-item function into the shape that the vectoriser takes, in two steps. First:
// scalars instead of OpenCL's vectors, and what can be simplified.
void simplify_work_item(llvm::Function &work_item, llvm::FunctionAnalysisManager &analyses);

// The same for a function that InstCombine and EarlyCSE have just been through: they run again only
// where there are vectors to split.
void simplify_combined_work_item(llvm::Function &work_item,
                                 llvm::FunctionAnalysisManager &analyses);

// Why a function can't be vectorised that has been through both steps.
class ObstacleAnalysis : public llvm::AnalysisInfoMixin<ObstacleAnalysis> {
public:
    using Result = std::optional<VectorisationFailure>;
    Result run(llvm::Function &work_item, llvm::FunctionAnalysisManager &analyses);

private:
    friend llvm::AnalysisInfoMixin<ObstacleAnalysis>;
    static llvm::AnalysisKey Key;
};

// Then: two-way branches, natural loops with one exit block each, one return.
std::optional<VectorisationFailure> canonicalise(llvm::Function &work_item,
                                                 llvm::FunctionAnalysisManager &analyses);

} // namespace rivulet::compiler

#endif
