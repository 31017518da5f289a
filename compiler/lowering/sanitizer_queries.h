// SPDX-License-Identifier: Apache-2.0
//
// Calls with results that are uniform for a launch. After the work-group pass they become loads of
// its record and arithmetic; until then they are opaque, so that they are not taken apart.
#ifndef RIVULET_COMPILER_LOWERING_SANITIZER_QUERIES_H
#define RIVULET_COMPILER_LOWERING_SANITIZER_QUERIES_H

#include <llvm/ADT/StringRef.h>

namespace rivulet::compiler {

constexpr llvm::StringLiteral record_word = "rivulet.record.i"; // (offset)
// (argument, bytes, scale, most): how many indices from 0 on fit, `most` at most
constexpr llvm::StringLiteral index_limit = "rivulet.index_limit.i";
// (argument, bytes, scale, constant, is signed): the least index that fits, and how many do
constexpr llvm::StringLiteral index_least = "rivulet.index_least.i";
constexpr llvm::StringLiteral index_count = "rivulet.index_count.i";
constexpr llvm::StringLiteral is_allocated = "rivulet.is_allocated";

} // namespace rivulet::compiler

#endif
