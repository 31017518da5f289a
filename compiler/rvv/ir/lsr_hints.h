// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_LSR_HINTS_H
#define RIVULET_COMPILER_RVV_IR_LSR_HINTS_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Where the addresses of an inner loop begin is a value in a register. LLVM's strength reduction
// would see a sum, and try for each of its parts whether to add it outside or inside of the loop:
// that takes as long as all the rest of a small kernel's code generation. So are addresses in the
// loop that others are an addition away from: it would take each of those for one of its own.
void hide_address_bases_from_lsr(llvm::Function &function);

} // namespace rivulet::compiler

#endif
