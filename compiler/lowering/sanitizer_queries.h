// SPDX-License-Identifier: Apache-2.0
//
// Calls with results that are uniform for a launch. After the work-group pass they become loads of
// its record and arithmetic; until then they are opaque, so that they are not taken apart.
#ifndef RIVULET_COMPILER_LOWERING_SANITIZER_QUERIES_H
#define RIVULET_COMPILER_LOWERING_SANITIZER_QUERIES_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Arguments with this number or a higher one have no bounds in the launch record: the addresses of
// their accesses are looked up.
unsigned bounds_limit(const llvm::Function &kernel);

// Where the launch record says how far an argument's bytes reach. The words have 32 bits if buffers
// are small (work_items/small_buffers.h).
enum class BoundsField { before, bytes };
struct BoundsWord {
    size_t offset; // in rvl_sanitizer
    unsigned bits;
};
BoundsWord bounds_word(const llvm::Function &kernel, unsigned number, BoundsField field);

constexpr llvm::StringLiteral record_word = "rivulet.record.i"; // (offset)
// (argument, bytes, scale, most): how many indices from 0 on fit, `most` at most
constexpr llvm::StringLiteral index_limit = "rivulet.index_limit.i";
// (argument, bytes, scale, constant, is signed): the least index that fits, and how many do
constexpr llvm::StringLiteral index_least = "rivulet.index_least.i";
constexpr llvm::StringLiteral index_count = "rivulet.index_count.i";
constexpr llvm::StringLiteral is_allocated = "rivulet.is_allocated";

} // namespace rivulet::compiler

#endif
