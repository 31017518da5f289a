// SPDX-License-Identifier: Apache-2.0
//
// Functions whose calls are not expanded until work-items are lanes: their expansions don't map to
// vector instructions, while a single instruction implements the whole operation (mulhi_lowering.h,
// rounding_modes.h).
#ifndef RIVULET_COMPILER_LOWERING_DELAYED_INLINING_H
#define RIVULET_COMPILER_LOWERING_DELAYED_INLINING_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// The function isn't inlined, and LLVM may move its calls: it only computes.
void delay_inlining(llvm::Function &function);

// Inlines the calls that are left; the function is gone afterwards, unless its address is taken.
void inline_delayed(llvm::Function &function);

} // namespace rivulet::compiler

#endif
