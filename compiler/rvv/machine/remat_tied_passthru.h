// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_MACHINE_REMAT_TIED_PASSTHRU_H
#define RIVULET_COMPILER_RVV_MACHINE_REMAT_TIED_PASSTHRU_H

#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineLoopInfo.h>

namespace rivulet::compiler {

// A vector of one constant that an instruction in a loop overwrites is made there, while each
// register is still written once: it takes as many instructions as a copy of what was made before
// the loop, and that would lie in registers all the time.
void rematerialise_tied_passthrus(llvm::MachineFunction &function,
                                  const llvm::MachineLoopInfo &loops);

} // namespace rivulet::compiler

#endif
