// SPDX-License-Identifier: Apache-2.0
//
// Counts the instructions of a kernel's machine code: `rivulet-cc --stats`.
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

// To be called just before the code is printed.
Statistics count_instructions(const llvm::MachineFunction &function,
                              const llvm::MachineLoopInfo &loops);

// True for register spills and reloads.
bool is_spill(const llvm::MachineInstr &instruction);

std::string to_text(const Statistics &statistics);

} // namespace rivulet::compiler

#endif
