// SPDX-License-Identifier: Apache-2.0
//
// From one work-item to the lanes of the vector unit.
#ifndef RIVULET_COMPILER_SPMD_PLAN_VECTORISE_H
#define RIVULET_COMPILER_SPMD_PLAN_VECTORISE_H

#include <expected>
#include <optional>

#include <llvm/IR/PassManager.h>

#include "compiler/spmd/analysis/row_shape.h"
#include "compiler/spmd/plan/lmul_selection.h"
#include "compiler/work_items/work_item_loop.h"

namespace rivulet::compiler {

// The work-item function's row, or rows (work_items/work_item_loop.h), as vectors. An error says
// why the function can't be vectorised.
std::expected<Row, VectorisationFailure> vectorise(llvm::Function &work_item, RowShape shape,
                                                   llvm::FunctionAnalysisManager &analyses);

// The lane count that vectorise() would choose for a function after InstCombine and EarlyCSE, to
// compare variants of one function. Nothing if the function can't be vectorised.
std::optional<LaneCount> estimate(llvm::Function &work_item, RowShape shape,
                                  llvm::FunctionAnalysisManager &analyses);

} // namespace rivulet::compiler

#endif
