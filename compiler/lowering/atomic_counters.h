// SPDX-License-Identifier: Apache-2.0
//
// cl_ext_atomic_counters_32 and _64. A counter is declared as an image without memory
// (frontend/prelude.h), which clang doesn't let programs store, return, compare or point to.
#ifndef RIVULET_COMPILER_LOWERING_ATOMIC_COUNTERS_H
#define RIVULET_COMPILER_LOWERING_ATOMIC_COUNTERS_H

#include <string>

#include "compiler/support/program.h"

namespace rivulet::compiler {

// Bytes of the counter that a value of this type is, 0 for any other type.
uint32_t counter_bytes(const llvm::Type &type);

// Whether the function is the built-in `name` (atomic_inc, atomic_dec) of counters.
bool is_count(const llvm::Function &function, llvm::StringRef name);

} // namespace rivulet::compiler

#endif
