// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_MACHINE_FRAME_BASE_SHARING_H
#define RIVULET_COMPILER_RVV_MACHINE_FRAME_BASE_SHARING_H

#include <llvm/CodeGen/MachineFunction.h>

namespace rivulet::compiler {

// Vector loads and stores take no offset, so each spill or reload comes with up to three
// instructions for its address. This derives addresses from others that a register holds already,
// or from one that a free register may hold: by one instruction, or none.
void share_frame_bases(llvm::MachineFunction &function);

} // namespace rivulet::compiler

#endif
