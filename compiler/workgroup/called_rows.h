// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_WORKGROUP_CALLED_ROWS_H
#define RIVULET_COMPILER_WORKGROUP_CALLED_ROWS_H

#include <llvm/IR/PassManager.h>

#include "compiler/spmd/analysis/row_shape.h"

namespace rivulet::compiler {

// Defines the rows of functions that rows call (work_items/called_rows.h), those that these call
// included.
void define_called_rows(llvm::Module &module, const RowShape &shape,
                        llvm::FunctionAnalysisManager &analyses);

} // namespace rivulet::compiler

#endif
