// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/transform/simplify_work_item.h"

#include "compiler/spmd/analysis/lane_analyses.h"
#include "compiler/spmd/transform/obstacle.h"
#include "compiler/support/passes.h"

namespace rivulet::compiler {

using namespace llvm;

void simplify_work_item(Function &function, FunctionAnalysisManager &analyses) {
    run_stage(PassStage::scalarise, function, analyses);
    run_stage(PassStage::narrow_ids, function, analyses);
}

void simplify_combined_work_item(Function &function, FunctionAnalysisManager &analyses) {
    run_stage(PassStage::scalarise_again, function, analyses);
    run_stage(PassStage::narrow_ids, function, analyses);
}

std::optional<VectorisationFailure> canonicalise(Function &function,
                                                 FunctionAnalysisManager &analyses) {
    run_stage(PassStage::canonicalise, function, analyses);
    auto obstacle = get<ObstacleAnalysis>(function, analyses);
    analyses.clear(function, function.getName());
    return obstacle;
}

} // namespace rivulet::compiler
