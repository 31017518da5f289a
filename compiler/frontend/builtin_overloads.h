// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_FRONTEND_BUILTIN_OVERLOADS_H
#define RIVULET_COMPILER_FRONTEND_BUILTIN_OVERLOADS_H

#include <clang/Frontend/CompilerInstance.h>
#include <llvm/ADT/StringSet.h>

namespace rivulet::compiler {

// Functions of the program's that have the name of built-in ones and are not overloadable. C
// converts the arguments of their calls: max(x, 0) is a call of the program's max(float, float),
// and would be ambiguous beside built-in overloads. Only such calls let one hide those.
struct PlainFunctions {
    llvm::StringSet<> declared, ambiguous, hide_built_ins;

    // After a run that failed: whether another, with more names in hide_built_ins, may not.
    bool hide_more();
};

// Clang looks a name up in its table of built-in functions only where the program has declared
// nothing of that name. This declares the built-in overloads beside the program's own, so that
// max(int, int) is still found where there is a max(float, float) of the program's. An own function
// takes the place of the built-in one that has the same parameters.
void keep_built_in_overloads(clang::CompilerInstance &compiler, PlainFunctions &plain);

} // namespace rivulet::compiler

#endif
