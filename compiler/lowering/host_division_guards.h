// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_LOWERING_HOST_DIVISION_GUARDS_H
#define RIVULET_COMPILER_LOWERING_HOST_DIVISION_GUARDS_H

#include <llvm/IR/Module.h>

namespace rivulet::compiler {

// Division by zero and of the lowest number by -1 traps on the host's processor, and would end the
// process that runs the kernel. It gets the results that RISC-V's instructions give.
void guard_divisions(llvm::Module &module);

} // namespace rivulet::compiler

#endif
