// SPDX-License-Identifier: Apache-2.0
//
// Inlining of functions that are called once.
#ifndef RIVULET_COMPILER_WORK_ITEMS_INLINE_SOLE_CALL_H
#define RIVULET_COMPILER_WORK_ITEMS_INLINE_SOLE_CALL_H

#include <llvm/IR/Instructions.h>

namespace rivulet::compiler {

// Replaces the only call of a function by its body and erases the function. Lines stay those of the
// callee alone, which belongs to the same kernel.
void inline_last_call(llvm::CallInst &call);

} // namespace rivulet::compiler

#endif
