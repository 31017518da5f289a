// SPDX-License-Identifier: Apache-2.0
//
// A work-item function as one row: strips of lanes from its beginning to its end.
#ifndef RIVULET_COMPILER_SPMD_PLAN_ROW_OF_STRIPS_H
#define RIVULET_COMPILER_SPMD_PLAN_ROW_OF_STRIPS_H

#include <expected>

#include <llvm/IR/PassManager.h>

#include "compiler/spmd/analysis/row_shape.h"
#include "compiler/spmd/plan/lmul_selection.h"
#include "compiler/work_items/work_item_loop.h"

namespace rivulet::compiler {

struct RowWithCost {
    Row row = {};
    LaneCount lanes = {};
};

// Chooses the number of lanes, and emits the row or, if the shape says so, neighbouring rows.
std::expected<RowWithCost, VectorisationFailure>
vectorise_whole(llvm::Function &work_item, RowShape shape, llvm::FunctionAnalysisManager &analyses);

} // namespace rivulet::compiler

#endif
