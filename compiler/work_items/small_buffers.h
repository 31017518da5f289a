// SPDX-License-Identifier: Apache-2.0
//
// The promise of small buffers: no allocation that a kernel accesses has more than
// RVL_SMALL_BUFFER_BYTES, 2 GiB. The host keeps it (host-runtime/program/kernel.cpp). So the
// distance between two bytes of a buffer fits into 32 bits with a sign, and lanes' elements are
// found with offsets of 32 bits, which need half the registers.
//
// All code that relies on the promise asks one of these two functions. A kernel that may get larger
// buffers is compiled a second time, without it: lowering/large_buffers.cpp.
#ifndef RIVULET_COMPILER_WORK_ITEMS_SMALL_BUFFERS_H
#define RIVULET_COMPILER_WORK_ITEMS_SMALL_BUFFERS_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Attribute of functions without the promise.
constexpr llvm::StringLiteral large_buffers_mark = "rivulet.large-buffers";

bool promises_small_buffers(const llvm::Function &function);

// Whether a pointer of the function points into an object of at most 2 GiB. Local and private
// memory are never larger, so they need no promise.
bool is_in_small_buffer(const llvm::Value &pointer, const llvm::Function &function);

} // namespace rivulet::compiler

#endif
