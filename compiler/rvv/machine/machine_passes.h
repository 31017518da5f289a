// SPDX-License-Identifier: Apache-2.0
//
// Our transforms of machine code as passes of LLVM's legacy pass manager, which its code generator
// still is. -print-after=NAME, -opt-bisect-limit= and -time-passes know them, and
// -rvl-disable-pass=NAME leaves them out.
#ifndef RIVULET_COMPILER_RVV_MACHINE_MACHINE_PASSES_H
#define RIVULET_COMPILER_RVV_MACHINE_MACHINE_PASSES_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

namespace llvm {
class Pass;
}

namespace rivulet::compiler {

// The caller, or the pass manager that it hands them to, owns what these return.
llvm::Pass *create_remat_tied_passthru();  // in SSA form
llvm::Pass *create_vtype_policy_merging(); // after register allocation
llvm::Pass *create_frame_base_sharing();   // likewise, when frames are laid out

struct MachinePassInfo {
    llvm::StringRef name;
    llvm::Pass *(*create)();
};
llvm::ArrayRef<MachinePassInfo> machine_passes();

// Makes the names known to LLVM's registry of passes. The second call does nothing.
void register_machine_passes();

} // namespace rivulet::compiler

#endif
