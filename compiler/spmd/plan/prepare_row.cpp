// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/plan/prepare_row.h"

#include "compiler/spmd/transform/simplify_work_item.h"
#include "compiler/support/passes.h"

namespace rivulet::compiler {

using namespace llvm;

AnalysisKey LaneCountAnalysis::Key;

LaneCountAnalysis::Result LaneCountAnalysis::run(Function &work_item,
                                                 FunctionAnalysisManager &analyses) {
    return {lane_count(work_item, get<LaneAnalysis>(work_item, analyses),
                       get<RowShapeAnalysis>(work_item, analyses).shape)};
}

LaneCount lane_count(Function &work_item, const LaneAnalysis::Result &known,
                     const RowShape &shape) {
    return choose_lane_count(work_item, *known.loops, *known.flow, *known.strides, shape.vlen,
                             shape.length ? shape.length : shape.likely);
}

std::expected<RowAnalysis, VectorisationFailure>
RowAnalysis::of(Function &work_item, RowShape shape, FunctionAnalysisManager &analyses) {
    run_stage(PassStage::narrow_arithmetic, work_item, analyses);
    if (!shape.elements.i64)
        run_stage(PassStage::promote_integers, work_item, analyses);
    if (auto unusual = canonicalise(work_item, analyses))
        return std::unexpected(*unusual);
    run_stage(PassStage::interleave_arrays, work_item, analyses);
    set_row_shape(work_item, shape);
    RowAnalysis known(work_item, analyses);
    run_passes(PassStage::prepare_lanes, work_item, analyses);
    known.lanes_ = &get<LaneAnalysis>(work_item, analyses);
    if (known.lanes_->obstacle)
        return std::unexpected(*known.lanes_->obstacle);
    known.count_ = get<LaneCountAnalysis>(work_item, analyses).lanes;
    return known;
}

} // namespace rivulet::compiler
