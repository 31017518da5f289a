// SPDX-License-Identifier: Apache-2.0
//
// Work-items of neighbouring rows (y, y + 1, …) as one work-item, which computes only once what is
// the same for them: a vector that all of them load, or a loop around it.
#ifndef RIVULET_COMPILER_SPMD_PLAN_UNROLL_AND_JAM_Y_H
#define RIVULET_COMPILER_SPMD_PLAN_UNROLL_AND_JAM_Y_H

#include <optional>

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include "compiler/spmd/analysis/row_shape.h"

namespace rivulet::compiler {

// The number of neighbouring rows in y that may run as one.
constexpr unsigned jammed_rows = 4; // rows of work-items

struct JammedRows {
    llvm::Function *function = nullptr; // a work-item function that does rows y … y + count - 1
    llvm::Function *fit = nullptr;      // i1 of its parameters: whether it may; null: always
    unsigned count = 0;
};

// Combines rows of a work-item function whose control flow is the same for them, if that pays.
// `most` is a power of two.
std::optional<JammedRows> jam_rows(llvm::Function &work_item, unsigned most, RowShape shape,
                                   llvm::FunctionAnalysisManager &analyses);

} // namespace rivulet::compiler

#endif
