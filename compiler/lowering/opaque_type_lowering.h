// SPDX-License-Identifier: Apache-2.0
//
// Replaces types throughout a module, where LLVM's backends would stumble over SPIR's.
#ifndef RIVULET_COMPILER_LOWERING_OPAQUE_TYPE_LOWERING_H
#define RIVULET_COMPILER_LOWERING_OPAQUE_TYPE_LOWERING_H

#include "compiler/support/program.h"

namespace rivulet::compiler {

// image_t becomes a pointer to its descriptor in global memory, sampler_t its bits, event_t a
// pointer; the functions that convert between the two (__rivulet_image etc.) disappear. Code from
// SPIR-V has pointers for all of them; its calls of the built-in library are adjusted.
void lower_opaque_types(Program &program);

// All memory is one address space for the processor.
void flatten_address_spaces(Program &program);

} // namespace rivulet::compiler

#endif
