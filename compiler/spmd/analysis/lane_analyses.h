// SPDX-License-Identifier: Apache-2.0
//
// Analyses of a work-item function whose lanes run side by side, for LLVM's new
// pass manager.
#ifndef RIVULET_COMPILER_SPMD_ANALYSIS_LANE_ANALYSES_H
#define RIVULET_COMPILER_SPMD_ANALYSIS_LANE_ANALYSES_H

#include <memory>
#include <optional>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/PassManager.h>

#include "compiler/spmd/analysis/control_flow.h"
#include "compiler/spmd/analysis/row_shape.h"
#include "compiler/spmd/analysis/stride_analysis.h"

namespace rivulet::compiler {

// The rows that a function is vectorised for, as set_row_shape() marked it, and the target's
// elements. Without a mark, rows have unknown length.
class RowShapeAnalysis : public llvm::AnalysisInfoMixin<RowShapeAnalysis> {
public:
    struct Result {
        RowShape shape;
        bool invalidate(llvm::Function &, const llvm::PreservedAnalyses &,
                        llvm::FunctionAnalysisManager::Invalidator &) {
            return false;
        }
    };
    Result run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
    friend llvm::AnalysisInfoMixin<RowShapeAnalysis>;
    static llvm::AnalysisKey Key;
};

// Uniformity, control flow and strides, which depend on each other.
class LaneAnalysis : public llvm::AnalysisInfoMixin<LaneAnalysis> {
public:
    struct Result {
        std::unique_ptr<llvm::DominatorTree> dominators;
        std::unique_ptr<llvm::LoopInfo> loops;
        std::unique_ptr<Uniformity> uniformity;
        std::unique_ptr<ControlFlow> flow;
        std::unique_ptr<StrideAnalysis> strides; // null if there is an obstacle
        std::optional<VectorisationFailure> obstacle;
    };
    Result run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
    friend llvm::AnalysisInfoMixin<LaneAnalysis>;
    static llvm::AnalysisKey Key;
};

// The analysis's result. Registers the analysis with the manager if it isn't registered yet.
template <class Analysis>
typename Analysis::Result &get(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    analyses.registerPass([] { return Analysis(); });
    return analyses.getResult<Analysis>(function);
}

} // namespace rivulet::compiler

#endif
