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
#include "compiler/support/verification.h"

namespace rivulet::compiler {

using namespace llvm;

constexpr unsigned large = 4000; // instructions, for which no other order is tried

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

// That in which the fewest vectors don't fit into registers.
void RowAnalysis::choose_order(Function &work_item, RowShape shape) {
    auto lanes = [&] {
        return choose_lane_count(work_item, loops_, *flow_, *strides_, shape.vlen,
                                 shape.length ? shape.length : shape.likely);
    };
    if (work_item.getInstructionCount() > large) {
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
    demote_integers(work_item);
    verify_after("narrow-arithmetic", work_item);
    form_mac_chains(work_item);
    verify_after("chain-sums", work_item);
    if (!shape.elements.i64)
        promote_odd_integers(work_item);
    verify_after("odd-integers", work_item);
    if (auto unusual = canonicalise(work_item, analyses))
        return std::unexpected(*unusual);
    interleave_private_arrays(work_item, shape.elements.i64 && shape.elements.f64 ? 8 : 4);
    verify_after("private-arrays", work_item);
    std::unique_ptr<RowAnalysis> known(new RowAnalysis(work_item));
    auto obstacle = known->look(work_item);
    if (!obstacle) {
        auto carried = legalise_types(work_item, *known->uniformity_, shape.elements);
        if (!carried)
            return std::unexpected(carried.error());
        verify_after("carry", work_item);
        if (*carried)
            obstacle = known->look(work_item);
    }
    if (!obstacle && split_lane_inductions(known->loops_, known->dominators_, *known->strides_))
        obstacle = known->look(work_item);
    verify_after("own-starts", work_item);
    if (!obstacle && load_words(work_item, *known->strides_))
        obstacle = known->look(work_item);
    verify_after("load-words", work_item);
    if (obstacle)
        return std::unexpected(*obstacle);
    known->choose_order(work_item, shape);
    verify_after("order", work_item);
    return known;
}

} // namespace rivulet::compiler
