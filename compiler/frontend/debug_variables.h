// SPDX-License-Identifier: Apache-2.0
//
// -g with -cl-opt-disable: debuggers stop at every line and know every variable.
#ifndef RIVULET_COMPILER_FRONTEND_DEBUG_VARIABLES_H
#define RIVULET_COMPILER_FRONTEND_DEBUG_VARIABLES_H

#include <llvm/IR/Module.h>

namespace rivulet::compiler {

// Makes the accesses to private variables and to those of the program and in local memory volatile,
// so that no pass removes a variable, keeps it in a register or moves an access to another line;
// gives images, samplers and events copies that debuggers read; and marks the functions
// (analysis/debug_mark.h). Of a module as clang made it, without the built-in library.
//
// Functions that call sub-group functions are left alone: the work-items of a sub-group run as
// lanes of vectors, and a variable of each lane has no location that a debugger could read.
void keep_variables(llvm::Module &module);

} // namespace rivulet::compiler

#endif
