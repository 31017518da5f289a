// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_ANALYSIS_WRITTEN_ROW_LENGTH_H
#define RIVULET_COMPILER_SPMD_ANALYSIS_WRITTEN_ROW_LENGTH_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// How many work-items the code of a work-item function expects in a row of its group at most, as a
// power of two; 0 if it doesn't tell. Code works with any number: this is for costs only.
unsigned written_row_length(llvm::Function &work_item);

} // namespace rivulet::compiler

#endif
