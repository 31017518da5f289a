// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_FRONTEND_BUILTIN_OVERLOADS_H
#define RIVULET_COMPILER_FRONTEND_BUILTIN_OVERLOADS_H

#include <clang/Frontend/CompilerInstance.h>
#include <llvm/ADT/StringSet.h>

namespace rivulet::compiler {

// Functions of the program that have the name of a built-in function and are not overloadable. C
// converts the arguments of calls to them: max(x, 0) calls the program's max(float, float), and
// would be ambiguous alongside the built-in overloads. Only calls like this make the program's
// function hide them.
struct PlainFunctions {
    llvm::StringSet<> declared, ambiguous, hide_built_ins;

    // After a failed run: whether another one, with more names in hide_built_ins, may succeed.
    bool hide_more();
};

// Clang looks up a name in its table of built-in functions only if the program has declared nothing
// with that name. This declares the built-in overloads in addition to the program's, so that
// max(int, int) is still found if the program has a max(float, float). A function of the program
// replaces the built-in one with the same parameters.
void keep_built_in_overloads(clang::CompilerInstance &compiler, PlainFunctions &plain);

} // namespace rivulet::compiler

#endif
