// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_PLAN_ROW_ANALYSIS_H
#define RIVULET_COMPILER_SPMD_PLAN_ROW_ANALYSIS_H

#include <expected>
#include <memory>
#include <optional>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/PassManager.h>

#include "compiler/spmd/analysis/control_flow.h"
#include "compiler/spmd/analysis/row_shape.h"
#include "compiler/spmd/analysis/stride_analysis.h"
#include "compiler/spmd/plan/lmul_selection.h"

namespace rivulet::compiler {

// The analyses of a work-item function whose lanes run side by side. Brings the function into the
// form that the emitter expects first.
class RowAnalysis {
public:
    static std::expected<std::unique_ptr<RowAnalysis>, VectorisationFailure>
    of(llvm::Function &work_item, RowShape shape, llvm::FunctionAnalysisManager &analyses);

    const ControlFlow &flow() const { return *flow_; }
    const StrideAnalysis &strides() const { return *strides_; }
    LaneCount lanes() const { return lanes_; } // that serve best

private:
    explicit RowAnalysis(llvm::Function &work_item) : dominators_(work_item), loops_(dominators_) {}
    std::optional<VectorisationFailure> look(llvm::Function &work_item);
    void choose_order(llvm::Function &work_item, RowShape shape);

    llvm::DominatorTree dominators_;
    llvm::LoopInfo loops_;
    std::unique_ptr<Uniformity> uniformity_;
    std::unique_ptr<ControlFlow> flow_;
    std::unique_ptr<StrideAnalysis> strides_;
    LaneCount lanes_{};
};

} // namespace rivulet::compiler

#endif
