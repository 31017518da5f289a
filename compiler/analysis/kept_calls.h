// SPDX-License-Identifier: Apache-2.0
//
// Functions that stay functions: lowering/keep_calls.cpp chooses them, all others are inlined.
#ifndef RIVULET_COMPILER_ANALYSIS_KEPT_CALLS_H
#define RIVULET_COMPILER_ANALYSIS_KEPT_CALLS_H

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>

namespace rivulet::compiler {

constexpr llvm::StringLiteral kept_call_mark = "rivulet.kept-call"; // of functions

inline bool is_kept_call(const llvm::Function &function) {
    return function.hasFnAttribute(kept_call_mark);
}

} // namespace rivulet::compiler

#endif
