// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_SIMPLIFY_WORK_ITEM_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_SIMPLIFY_WORK_ITEM_H

#include <optional>

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include "compiler/spmd/analysis/row_shape.h"

namespace rivulet::compiler {

// The stages that bring a work-item function into the form that the vectoriser takes. First stages
// scalarise and narrow_ids: OpenCL's vectors become scalars, and arithmetic on ids is narrowed to
// 32 bits where possible.
void simplify_work_item(llvm::Function &work_item, llvm::FunctionAnalysisManager &analyses);

// The same for a function that InstCombine and EarlyCSE have just been through: they run again only
// where there are vectors to split.
void simplify_combined_work_item(llvm::Function &work_item,
                                 llvm::FunctionAnalysisManager &analyses);

// Then stage canonicalise: two-way branches, natural loops with one exit block each, one return.
std::optional<VectorisationFailure> canonicalise(llvm::Function &work_item,
                                                 llvm::FunctionAnalysisManager &analyses);

} // namespace rivulet::compiler

#endif
