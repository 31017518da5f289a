// SPDX-License-Identifier: Apache-2.0
//
// From one work-item to the lanes of the vector unit.
#ifndef RIVULET_COMPILER_SPMD_VECTORISE_H
#define RIVULET_COMPILER_SPMD_VECTORISE_H

#include <expected>
#include <optional>
#include <string>

#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/PassManager.h>

#include "compiler/spmd/elements.h"
#include "compiler/spmd/lane_count.h"
#include "compiler/workgroup/row.h"

namespace rivulet::compiler {

struct Obstacle {
    std::string reason;
    llvm::DebugLoc place;
};

struct RowShape {
    unsigned vlen = 0;      // exact, in bits; 0: unknown
    unsigned length = 0;    // most work-items of a row; 0: unknown
    unsigned likely = 0;    // as many as most rows have at most; 0: unknown
    bool long_rows = false; // over many groups
    bool parted = false;    // into parts of a few strips, mostly
    bool rare = false;      // hardly ever run: not worth more than one way
    Elements elements;
    unsigned sub_group = 0; // size of sub-groups; 0: the function knows none
    unsigned min_vlen = 0;  // of rows of sub-groups; 0: no vector unit
    unsigned rows = 0;      // that the function does at once, if it may be called for all that are
                            // neighbours in y, of which there is at least one; 0: it may not
};

// The work-item function's row, or rows (../workgroup/row.h), for the vector unit, or why there is
// none.
std::expected<Row, Obstacle> vectorise(llvm::Function &work_item, RowShape shape,
                                       llvm::FunctionAnalysisManager &analyses);

// To compare ways to write the same, after InstCombine and EarlyCSE: what it would choose; none if
// there is an obstacle.
std::optional<LaneCount> estimate(llvm::Function &work_item, RowShape shape,
                                  llvm::FunctionAnalysisManager &analyses);

} // namespace rivulet::compiler

#endif
