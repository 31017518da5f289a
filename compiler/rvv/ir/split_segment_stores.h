// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_SPLIT_SEGMENT_STORES_H
#define RIVULET_COMPILER_RVV_IR_SPLIT_SEGMENT_STORES_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Fields that one instruction stores wait for each other, and side by side: where vector registers
// don't last, each is stored alone, as soon as it is there.
void split_segment_stores(llvm::Function &function);

} // namespace rivulet::compiler

#endif
