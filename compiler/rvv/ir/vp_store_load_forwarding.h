// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_VP_STORE_LOAD_FORWARDING_H
#define RIVULET_COMPILER_RVV_IR_VP_STORE_LOAD_FORWARDING_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Replaces loads of vectors that were stored in the same block by the stored value, as long as
// registers suffice. Where a whole work-group is one strip, local memory holds what each work-item
// has just put there itself.
void forward_vp_stores(llvm::Function &function);

} // namespace rivulet::compiler

#endif
