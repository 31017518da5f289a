// SPDX-License-Identifier: Apache-2.0
//
// Remarks on registers that a kernel keeps on the stack, once its code is final.
#ifndef RIVULET_COMPILER_CODEGEN_SPILL_REMARKS_H
#define RIVULET_COMPILER_CODEGEN_SPILL_REMARKS_H

#include <vector>

#include <llvm/IR/DebugLoc.h>

namespace llvm {
class Function;
class MachineFunction;
} // namespace llvm

namespace rivulet::compiler {

// The accesses to the stack that one line of the source causes, because registers are too few.
struct SpillingLine {
    llvm::DebugLoc location;
    bool vector = false;
    unsigned stores = 0, reloads = 0;
};

// Just before the code is printed.
std::vector<SpillingLine> find_spilling_lines(const llvm::MachineFunction &function);

void remark_on_spills(llvm::Function &kernel, const std::vector<SpillingLine> &lines);

} // namespace rivulet::compiler

#endif
