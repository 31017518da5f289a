// SPDX-License-Identifier: Apache-2.0
//
// Constructors of program-scope variables. Clang makes a function for each object of a program that
// has any and lists it in llvm.global_ctors, which no loader of kernel images reads. A kernel that
// calls them all in order takes its place, and the host runs that before any other
// (hal/protocol/initialiser.h).
#ifndef RIVULET_COMPILER_FRONTEND_PROGRAM_CONSTRUCTORS_H
#define RIVULET_COMPILER_FRONTEND_PROGRAM_CONSTRUCTORS_H

#include <expected>
#include <string>

#include <llvm/IR/Module.h>

namespace rivulet::compiler {

// Of a whole program, without the built-in library. An error is for the build log.
std::expected<void, std::string> gather_constructors(llvm::Module &module);

} // namespace rivulet::compiler

#endif
