// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_PLAN_PREPARE_ROW_H
#define RIVULET_COMPILER_SPMD_PLAN_PREPARE_ROW_H

#include <expected>
#include <memory>

#include <llvm/IR/PassManager.h>

#include "compiler/spmd/analysis/lane_analyses.h"
#include "compiler/spmd/plan/lmul_selection.h"

namespace rivulet::compiler {

// The LMUL that serves the function best with the current order of its instructions.
LaneCount lane_count(llvm::Function &work_item, const LaneAnalysis::Result &known,
                     const RowShape &shape);

// How many lanes serve a function best; needs LaneAnalysis without an obstacle.
class LaneCountAnalysis : public llvm::AnalysisInfoMixin<LaneCountAnalysis> {
public:
    struct Result {
        LaneCount lanes;
    };
    Result run(llvm::Function &work_item, llvm::FunctionAnalysisManager &analyses);

private:
    friend llvm::AnalysisInfoMixin<LaneCountAnalysis>;
    static llvm::AnalysisKey Key;
};

// A work-item function in the form that code generation for a row expects, and its analyses, which
// the manager keeps as long as this object lives.
class RowAnalysis {
public:
    static std::expected<RowAnalysis, VectorisationFailure>
    of(llvm::Function &work_item, RowShape shape, llvm::FunctionAnalysisManager &analyses);

    const ControlFlow &flow() const { return *lanes_->flow; }
    const StrideAnalysis &strides() const { return *lanes_->strides; }
    LaneCount lanes() const { return count_; } // that serve best

private:
    struct Clear {
        llvm::FunctionAnalysisManager *analyses;
        void operator()(llvm::Function *function) const {
            analyses->clear(*function, function->getName());
        }
    };
    RowAnalysis(llvm::Function &work_item, llvm::FunctionAnalysisManager &analyses)
        : cleared_(&work_item, Clear{&analyses}) {}

    std::unique_ptr<llvm::Function, Clear> cleared_;
    const LaneAnalysis::Result *lanes_ = nullptr;
    LaneCount count_{};
};

} // namespace rivulet::compiler

#endif
