// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/plan/row_analysis.h"

#include "compiler/spmd/transform/canonicalise.h"
#include "compiler/spmd/transform/field_loads.h"
#include "compiler/spmd/transform/integer_demotion.h"
#include "compiler/spmd/transform/integer_promotion.h"
#include "compiler/spmd/transform/mac_chains.h"
#include "compiler/spmd/transform/per_lane_induction_start.h"
#include "compiler/spmd/transform/private_array_interleaving.h"
#include "compiler/spmd/transform/sethi_ullman_order.h"
#include "compiler/spmd/transform/type_legalisation.h"
#include "compiler/support/passes.h"
#include "compiler/tuning/spmd_plan.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

LaneCount lane_count(Function &work_item, const LaneAnalysis::Result &known,
                     const RowShape &shape) {
    return choose_lane_count(work_item, *known.loops, *known.flow, *known.strides, shape.vlen,
                             shape.length ? shape.length : shape.likely);
}

// Chooses the order in which the fewest vectors don't fit into registers.
struct OrderPass : PassInfoMixin<OrderPass> {
    static StringRef name() { return "rvl-sethi-ullman-order"; }
    PreservedAnalyses run(Function &work_item, FunctionAnalysisManager &analyses) {
        const LaneAnalysis::Result &known = get<LaneAnalysis>(work_item, analyses);
        if (known.obstacle || work_item.getInstructionCount() > tuning::reorder_max_instructions)
            return PreservedAnalyses::all();
        LaneCount &best = get<LaneCountAnalysis>(work_item, analyses).lanes;
        choose(work_item, known, get<RowShapeAnalysis>(work_item, analyses).shape, best);
        // The analysis of lanes knows nothing of the order within blocks, and `best` is the new
        // order's.
        PreservedAnalyses preserved;
        preserved.preserveSet<CFGAnalyses>();
        preserved.preserve<LaneAnalysis>();
        preserved.preserve<LaneCountAnalysis>();
        return preserved;
    }

private:
    static void choose(Function &work_item, const LaneAnalysis::Result &known,
                       const RowShape &shape, LaneCount &best) {
        SethiUllmanOrder order(work_item);
        const LaneCount before = best;
        order.change(*known.strides, SethiUllmanOrder::contiguous_loads);
        const LaneCount some = lane_count(work_item, known, shape);
        best = some;
        if (some.fits)
            return; // no order is better
        order.restore();
        best = before;
        order.change(*known.strides, SethiUllmanOrder::all);
        const LaneCount all = lane_count(work_item, known, shape);
        if (all.cost < std::min(some.cost, best.cost)) {
            best = all;
        } else if (best.cost < some.cost) {
            order.restore();
        } else {
            order.change(*known.strides, SethiUllmanOrder::contiguous_loads);
            best = some;
        }
    }
};

const OwnPass passes[] = {
    transform_pass<"rvl-integer-demotion", demote_integers>(),
    transform_pass<"rvl-mac-chains", form_mac_chains>(),
    transform_pass<"rvl-integer-promotion", promote_odd_integers>(),
    transform_pass<"rvl-interleave-private-arrays", interleave_private_arrays<8>>(),
    transform_pass<"rvl-interleave-private-arrays<4>", interleave_private_arrays<4>>(),
    transform_pass<"rvl-type-legalisation", legalise_types>(),
    transform_pass<"rvl-lane-inductions", split_lane_inductions>(),
    transform_pass<"rvl-field-loads", merge_field_loads>(),
    {"rvl-sethi-ullman-order", [](FunctionPassManager &manager) { manager.addPass(OrderPass()); }},
};

} // namespace

AnalysisKey LaneCountAnalysis::Key;

LaneCountAnalysis::Result LaneCountAnalysis::run(Function &work_item,
                                                 FunctionAnalysisManager &analyses) {
    return {lane_count(work_item, get<LaneAnalysis>(work_item, analyses),
                       get<RowShapeAnalysis>(work_item, analyses).shape)};
}

std::expected<RowAnalysis, VectorisationFailure>
RowAnalysis::of(Function &work_item, RowShape shape, FunctionAnalysisManager &analyses) {
    run_stage(PassStage::narrow_arithmetic, work_item, analyses);
    if (!shape.elements.i64)
        run_stage(PassStage::promote_integers, work_item, analyses);
    if (auto unusual = canonicalise(work_item, analyses))
        return std::unexpected(*unusual);
    run_stage(shape.elements.i64 && shape.elements.f64 ? PassStage::interleave_arrays
                                                       : PassStage::interleave_narrow_arrays,
              work_item, analyses);
    get<RowShapeAnalysis>(work_item, analyses).shape = shape;
    RowAnalysis known(work_item, analyses);
    run_passes(PassStage::prepare_lanes, work_item, analyses);
    known.lanes_ = &get<LaneAnalysis>(work_item, analyses);
    if (known.lanes_->obstacle)
        return std::unexpected(*known.lanes_->obstacle);
    known.count_ = get<LaneCountAnalysis>(work_item, analyses).lanes;
    return known;
}

} // namespace rivulet::compiler
