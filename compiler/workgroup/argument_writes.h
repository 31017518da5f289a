// SPDX-License-Identifier: Apache-2.0
//
// Determines which buffers a kernel may write. The host copies what was written from one device of
// a context to the others, so what is proven here must hold.
#ifndef RIVULET_COMPILER_WORKGROUP_ARGUMENT_WRITES_H
#define RIVULET_COMPILER_WORKGROUP_ARGUMENT_WRITES_H

#include "compiler/support/program.h"

namespace rivulet::compiler {

/// Sets Argument::is_unwritten. After inlining, while arguments are still the function's own.
void find_unwritten_arguments(Kernel &kernel);

} // namespace rivulet::compiler

#endif
