// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_BOOL_SELECT_COMBINE_H
#define RIVULET_COMPILER_RVV_IR_BOOL_SELECT_COMBINE_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// LLVM turns `n += a || b` into n plus a select between 1 and zext b: vectors of integers, where 1
// can be added under one mask.
void combine_bool_selects(llvm::Function &function);

} // namespace rivulet::compiler

#endif
