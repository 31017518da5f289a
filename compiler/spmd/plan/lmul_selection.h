// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_PLAN_LMUL_SELECTION_H
#define RIVULET_COMPILER_SPMD_PLAN_LMUL_SELECTION_H

#include "compiler/spmd/analysis/control_flow.h"
#include "compiler/spmd/analysis/stride_analysis.h"

namespace rivulet::compiler {

struct LaneCount {
    unsigned lanes = 0;
    double cost = 0;    // instructions per work-item, loops counted a few times
    double weighed = 0; // the same, against cycles
    bool fits = false;  // all vectors fit into registers with the largest number of lanes
};

// The number of lanes per 64 bits of vector register that serves the function best: many lanes
// share the cost of an instruction, but their values have to fit into the 32 registers.
// `row_length` is the largest length of a row, 0 if unknown; `vlen` likewise.
LaneCount choose_lane_count(llvm::Function &function, const llvm::LoopInfo &loops,
                            const ControlFlow &flow, const StrideAnalysis &strides, unsigned vlen,
                            unsigned row_length);

// Bits of the widest values that differ between lanes.
unsigned widest_element(llvm::Function &function, const StrideAnalysis &strides);

} // namespace rivulet::compiler

#endif
