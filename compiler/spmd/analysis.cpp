// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/analysis.h"

#include "compiler/spmd/narrow.h"
#include "compiler/spmd/prepare.h"
#include "compiler/spmd/sums.h"

namespace rivulet::compiler {

using namespace llvm;

std::expected<std::unique_ptr<Analysis>, Obstacle> Analysis::of(Function &work_item, RowShape shape,
                                                                FunctionAnalysisManager &analyses) {
    narrow_arithmetic(work_item);
    chain_sums(work_item);
    if (auto obstacle = normalise(work_item, shape.half, analyses))
        return std::unexpected(*obstacle);
    std::unique_ptr<Analysis> known(new Analysis(work_item));
    Uniformity::Values divergent;
    while (true) {
        known->uniformity_ = std::make_unique<Uniformity>(work_item, 1, divergent);
        known->flow_ = std::make_unique<ControlFlow>(work_item, known->loops_, *known->uniformity_);
        if (!known->flow_->obstacle().empty())
            return std::unexpected(Obstacle{known->flow_->obstacle(), {}});
        auto more = known->flow_->divergent_results();
        if (more.empty())
            break;
        divergent.insert(more.begin(), more.end());
    }
    known->shapes_ = std::make_unique<Shapes>(work_item, *known->uniformity_, *known->flow_);
    sink_loads(work_item, *known->shapes_);
    return known;
}

} // namespace rivulet::compiler
