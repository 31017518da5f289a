// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/plan/row_analysis.h"

#include "compiler/spmd/analysis/adjacent_accesses.h"
#include "compiler/spmd/transform/canonicalise.h"
#include "compiler/spmd/transform/integer_demotion.h"
#include "compiler/spmd/transform/integer_promotion.h"
#include "compiler/spmd/transform/mac_chains.h"
#include "compiler/spmd/transform/per_lane_induction_start.h"
#include "compiler/spmd/transform/private_array_interleaving.h"
#include "compiler/spmd/transform/sethi_ullman_order.h"
#include "compiler/spmd/transform/type_legalisation.h"
#include "compiler/support/passes.h"
#include "compiler/support/verification.h"
#include "compiler/tuning/spmd_plan.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

const OwnPass passes[] = {
    transform_pass<"rvl-integer-demotion", demote_integers>(),
    transform_pass<"rvl-mac-chains", form_mac_chains>(),
    transform_pass<"rvl-integer-promotion", promote_odd_integers>(),
    transform_pass<"rvl-interleave-private-arrays", interleave_private_arrays<8>>(),
    transform_pass<"rvl-interleave-private-arrays<4>", interleave_private_arrays<4>>(),
};

} // namespace

std::optional<VectorisationFailure> RowAnalysis::look(Function &work_item) {
    Uniformity::Values divergent;
    while (true) {
        uniformity_ = std::make_unique<Uniformity>(work_item, 1, divergent);
        flow_ = std::make_unique<ControlFlow>(work_item, loops_, *uniformity_);
        if (!flow_->obstacle().empty())
            return VectorisationFailure{flow_->obstacle(), {}};
        auto more = flow_->divergent_results();
        if (more.empty())
            break;
        divergent.insert(more.begin(), more.end());
    }
    strides_ = std::make_unique<StrideAnalysis>(work_item, *uniformity_, *flow_);
    return std::nullopt;
}

// Chooses the order in which the fewest vectors don't fit into registers.
void RowAnalysis::choose_order(Function &work_item, RowShape shape) {
    auto lanes = [&] {
        return choose_lane_count(work_item, loops_, *flow_, *strides_, shape.vlen,
                                 shape.length ? shape.length : shape.likely);
    };
    if (work_item.getInstructionCount() > tuning::reorder_max_instructions) {
        lanes_ = lanes();
        return;
    }
    SethiUllmanOrder order(work_item);
    order.change(*strides_, SethiUllmanOrder::contiguous_loads);
    const LaneCount some = lanes();
    lanes_ = some;
    if (some.fits)
        return; // no order is better
    order.restore();
    lanes_ = lanes();
    order.change(*strides_, SethiUllmanOrder::all);
    const LaneCount all = lanes();
    if (all.cost < std::min(some.cost, lanes_.cost)) {
        lanes_ = all;
    } else if (lanes_.cost < some.cost) {
        order.restore();
    } else {
        order.change(*strides_, SethiUllmanOrder::contiguous_loads);
        lanes_ = some;
    }
}

std::expected<std::unique_ptr<RowAnalysis>, VectorisationFailure>
RowAnalysis::of(Function &work_item, RowShape shape, FunctionAnalysisManager &analyses) {
    run_stage(PassStage::narrow_arithmetic, work_item, analyses);
    if (!shape.elements.i64)
        run_stage(PassStage::promote_integers, work_item, analyses);
    if (auto unusual = canonicalise(work_item, analyses))
        return std::unexpected(*unusual);
    run_stage(shape.elements.i64 && shape.elements.f64 ? PassStage::interleave_arrays
                                                       : PassStage::interleave_narrow_arrays,
              work_item, analyses);
    std::unique_ptr<RowAnalysis> known(new RowAnalysis(work_item));
    auto obstacle = known->look(work_item);
    if (!obstacle) {
        auto carried = legalise_types(work_item, *known->uniformity_, shape.elements);
        if (!carried)
            return std::unexpected(carried.error());
        verify_after("type-legalisation", work_item);
        if (*carried)
            obstacle = known->look(work_item);
    }
    if (!obstacle && split_lane_inductions(known->loops_, known->dominators_, *known->strides_))
        obstacle = known->look(work_item);
    verify_after("lane-inductions", work_item);
    if (!obstacle && merge_field_loads(work_item, *known->strides_))
        obstacle = known->look(work_item);
    verify_after("field-loads", work_item);
    if (obstacle)
        return std::unexpected(*obstacle);
    known->choose_order(work_item, shape);
    verify_after("order", work_item);
    return known;
}

} // namespace rivulet::compiler
