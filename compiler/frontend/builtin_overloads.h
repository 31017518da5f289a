// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_FRONTEND_BUILTIN_OVERLOADS_H
#define RIVULET_COMPILER_FRONTEND_BUILTIN_OVERLOADS_H

#include <clang/Frontend/CompilerInstance.h>

namespace rivulet::compiler {

// Clang looks a name up in its table of built-in functions only where the program has declared
// nothing of that name. This declares the built-in overloads beside the program's own, so that
// max(int, int) is still found where there is a max(float, float) of the program's. An own function
// takes the place of the built-in one that has the same parameters.
void keep_built_in_overloads(clang::CompilerInstance &compiler);

} // namespace rivulet::compiler

#endif
