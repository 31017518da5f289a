// SPDX-License-Identifier: Apache-2.0
//
// Huge functions only: the pass of LLVM's that inserts vsetvli walks over all uses of a length for
// each of its uses, hours for one that tens of thousands of instructions share. So each block of
// such a function, and each few uses within a block, take a length of their own from the shared
// one.
#ifndef RIVULET_COMPILER_RVV_IR_SPLIT_VSETVLI_RANGES_H
#define RIVULET_COMPILER_RVV_IR_SPLIT_VSETVLI_RANGES_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

void split_vsetvli_ranges(llvm::Function &function);

} // namespace rivulet::compiler

#endif
