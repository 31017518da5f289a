// SPDX-License-Identifier: Apache-2.0
//
// rvl-large-buffers adds a second version of each kernel, for buffers beyond 2 GiB.
#ifndef RIVULET_COMPILER_LOWERING_LARGE_BUFFERS_H
#define RIVULET_COMPILER_LOWERING_LARGE_BUFFERS_H

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// The name of a second version is the kernel's and this.
constexpr llvm::StringLiteral large_suffix = ".large_buffers";

bool is_large_version(const llvm::Function &kernel);

} // namespace rivulet::compiler

#endif
