// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_MACHINE_VTYPE_POLICY_MERGING_H
#define RIVULET_COMPILER_RVV_MACHINE_VTYPE_POLICY_MERGING_H

#include <llvm/CodeGen/MachineFunction.h>

namespace rivulet::compiler {

// Instructions that don't care what lanes outside of the mask get run as well under a vtype that
// leaves those as they are: no change of vtype for that alone. In blocks, and loops of one block.
void merge_vtype_policies(llvm::MachineFunction &function);

} // namespace rivulet::compiler

#endif
