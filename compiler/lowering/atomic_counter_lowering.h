// SPDX-License-Identifier: Apache-2.0
//
// cl_ext_atomic_counters_32 and _64. A counter is declared as an image without memory
// (frontend/prelude.h), which clang does not allow to be stored, returned, compared or pointed to.
// This checks the remaining rules.
#ifndef RIVULET_COMPILER_LOWERING_ATOMIC_COUNTER_LOWERING_H
#define RIVULET_COMPILER_LOWERING_ATOMIC_COUNTER_LOWERING_H

#include <expected>
#include <string>

#include "compiler/support/program.h"

namespace rivulet::compiler {

// Bytes of the counter that a value of this type is, 0 for any other type.
uint32_t counter_bytes(const llvm::Type &type);

// Before inlining: a kernel increments or decrements a counter, itself or in the functions that it
// calls, but not both. The error is for the build log.
std::expected<void, std::string> check_counters(const Program &program);

// After lower_opaque_types: a counter is a pointer to its word in the launch's words, and counting
// an atomic addition there.
void lower_counters(Program &program);

} // namespace rivulet::compiler

#endif
