// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_BOOL_SELECT_COMBINE_H
#define RIVULET_COMPILER_RVV_IR_BOOL_SELECT_COMBINE_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Of `n += a || b`, LLVM makes n plus a choice between 1 and b as a number: vectors of numbers,
// where 1 can be added under one mask.
void join_truth_values(llvm::Function &function);

} // namespace rivulet::compiler

#endif
