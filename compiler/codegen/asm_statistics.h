// SPDX-License-Identifier: Apache-2.0
//
// Counts what a kernel's machine code consists of: `rivulet-cc --stats`.
#ifndef RIVULET_COMPILER_CODEGEN_ASM_STATISTICS_H
#define RIVULET_COMPILER_CODEGEN_ASM_STATISTICS_H

#include <string>

#include "compiler/support/statistics.h"

namespace llvm {
class MachineFunction;
class MachineInstr;
class MachineLoopInfo;
} // namespace llvm

namespace rivulet::compiler {

// Just before the code is printed.
Statistics count_instructions(const llvm::MachineFunction &function,
                              const llvm::MachineLoopInfo &loops);

// True for register spills and reloads.
bool is_spill(const llvm::MachineInstr &instruction);

std::string to_text(const Statistics &statistics);

} // namespace rivulet::compiler

#endif
