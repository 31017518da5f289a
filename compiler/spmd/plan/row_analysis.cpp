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

std::optional<Obstacle> Analysis::look(Function &work_item) {
    Uniformity::Values divergent;
    while (true) {
        uniformity_ = std::make_unique<Uniformity>(work_item, 1, divergent);
        flow_ = std::make_unique<ControlFlow>(work_item, loops_, *uniformity_);
        if (!flow_->obstacle().empty())
            return Obstacle{flow_->obstacle(), {}};
        auto more = flow_->divergent_results();
        if (more.empty())
            break;
        divergent.insert(more.begin(), more.end());
    }
    shapes_ = std::make_unique<Shapes>(work_item, *uniformity_, *flow_);
    return std::nullopt;
}

// That in which the fewest vectors don't fit into registers.
void Analysis::choose_order(Function &work_item, RowShape shape) {
    auto lanes = [&] {
        return choose_lane_count(work_item, loops_, *flow_, *shapes_, shape.vlen,
                                 shape.length ? shape.length : shape.likely);
    };
    if (work_item.getInstructionCount() > large) {
        lanes_ = lanes();
        return;
    }
    Order order(work_item);
    order.change(*shapes_, Order::contiguous_loads);
    const LaneCount some = lanes();
    lanes_ = some;
    if (some.fits)
        return; // no order is better
    order.restore();
    lanes_ = lanes();
    order.change(*shapes_, Order::all);
    const LaneCount all = lanes();
    if (all.cost < std::min(some.cost, lanes_.cost)) {
        lanes_ = all;
    } else if (lanes_.cost < some.cost) {
        order.restore();
    } else {
        order.change(*shapes_, Order::contiguous_loads);
        lanes_ = some;
    }
}

std::expected<std::unique_ptr<Analysis>, Obstacle> Analysis::of(Function &work_item, RowShape shape,
                                                                FunctionAnalysisManager &analyses) {
    narrow_arithmetic(work_item);
    verify_after("narrow-arithmetic", work_item);
    chain_sums(work_item);
    verify_after("chain-sums", work_item);
    if (!shape.elements.i64)
        widen_odd_integers(work_item);
    verify_after("odd-integers", work_item);
    if (auto unusual = normalise(work_item, analyses))
        return std::unexpected(*unusual);
    interleave_private_arrays(work_item, shape.elements.i64 && shape.elements.f64 ? 8 : 4);
    verify_after("private-arrays", work_item);
    std::unique_ptr<Analysis> known(new Analysis(work_item));
    auto obstacle = known->look(work_item);
    if (!obstacle) {
        auto carried = carry(work_item, *known->uniformity_, shape.elements);
        if (!carried)
            return std::unexpected(carried.error());
        verify_after("carry", work_item);
        if (*carried)
            obstacle = known->look(work_item);
    }
    if (!obstacle && count_from_own_starts(known->loops_, known->dominators_, *known->shapes_))
        obstacle = known->look(work_item);
    verify_after("own-starts", work_item);
    if (!obstacle && load_words(work_item, *known->shapes_))
        obstacle = known->look(work_item);
    verify_after("load-words", work_item);
    if (obstacle)
        return std::unexpected(*obstacle);
    known->choose_order(work_item, shape);
    verify_after("order", work_item);
    return known;
}

} // namespace rivulet::compiler
