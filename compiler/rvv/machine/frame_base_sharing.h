// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_MACHINE_FRAME_BASE_SHARING_H
#define RIVULET_COMPILER_RVV_MACHINE_FRAME_BASE_SHARING_H

#include <llvm/CodeGen/MachineFunction.h>

namespace rivulet::compiler {

// Vectors' loads and stores take no offset, and each one from the stack comes with up to three
// instructions for its address. Here addresses come from others that a register holds already, or
// that one may hold which nobody needs meanwhile: by one instruction, or none.
void share_frame_bases(llvm::MachineFunction &function);

} // namespace rivulet::compiler

#endif
