// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_FRONTEND_ASM_REGISTERS_H
#define RIVULET_COMPILER_FRONTEND_ASM_REGISTERS_H

#include <clang/Frontend/CompilerInstance.h>

namespace rivulet::compiler {

// Programs are read for SPIR, which has no registers. This lets inline assembly name those of
// RISC-V as clobbered, and variables be placed in them.
void add_registers(clang::CompilerInstance &compiler);

} // namespace rivulet::compiler

#endif
