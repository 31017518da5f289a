// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_ANALYSIS_DEBUG_MARK_H
#define RIVULET_COMPILER_ANALYSIS_DEBUG_MARK_H

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Attribute of functions of which debuggers can read all variables (frontend/debug_variables.h).
constexpr llvm::StringLiteral debug_mark = "rivulet.debug";

inline bool is_debuggable(const llvm::Function &function) {
    return function.hasFnAttribute(debug_mark);
}

} // namespace rivulet::compiler

#endif
