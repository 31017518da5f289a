// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_ANALYSIS_LIBRARY_FUNCTIONS_H
#define RIVULET_COMPILER_ANALYSIS_LIBRARY_FUNCTIONS_H

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>

namespace rivulet::compiler {

constexpr llvm::StringLiteral library_mark = "rivulet.library"; // of functions

// Whether the function is one of the built-in library's, not of the program's own.
inline bool is_library_function(const llvm::Function &function) {
    return function.hasFnAttribute(library_mark);
}

} // namespace rivulet::compiler

#endif
