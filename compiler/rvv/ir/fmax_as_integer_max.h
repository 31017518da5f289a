// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_FMAX_AS_INTEGER_MAX_H
#define RIVULET_COMPILER_RVV_IR_FMAX_AS_INTEGER_MAX_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// `x < bound ? bound : x` lets NaN pass, which no minimum or maximum of floating point does; that
// of the bits as integers does, in one instruction and without a mask, if what x is made by leaves
// no NaN but the canonical one, whose sign is positive.
void combine_fmax_to_integer_max(llvm::Function &function);

} // namespace rivulet::compiler

#endif
