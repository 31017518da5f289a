// SPDX-License-Identifier: Apache-2.0
//
// What C has for a RISC-V hart, for programs that name it: __builtin_riscv_…, the __riscv_… macros,
// vector types, riscv_vector.h and the headers of vendors.
#ifndef RIVULET_COMPILER_FRONTEND_HART_BUILTINS_H
#define RIVULET_COMPILER_FRONTEND_HART_BUILTINS_H

#include <string>
#include <utility>
#include <vector>

#include <clang/Frontend/CompilerInstance.h>

#include "compiler/support/program.h"

namespace rivulet::compiler {

// A program that uses any of it has this word in its text.
inline constexpr llvm::StringLiteral hart_word = "riscv";

// Gives clang the hart as its second target. Before add_registers() (asm_registers.h).
void add_hart(clang::CompilerInstance &compiler, const Target &target);

// Lets the headers declare their functions; before the program is read.
void add_hart_pragma(clang::CompilerInstance &compiler);

// Names and texts of the headers.
std::vector<std::pair<llvm::StringRef, llvm::StringRef>> hart_headers();

} // namespace rivulet::compiler

#endif
