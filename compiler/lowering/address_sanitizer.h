// SPDX-License-Identifier: Apache-2.0
//
// -rv-sanitize=address: out-of-bounds loads, stores, atomics and copies end the launch with a
// report (hal/protocol/sanitizer.h). Each access is compared with the bounds of the object its
// pointer is derived from: a kernel argument, whose bounds are in the record, or a variable. Other
// global pointers are looked up in the table of the context's allocations.
#ifndef RIVULET_COMPILER_LOWERING_ADDRESS_SANITIZER_H
#define RIVULET_COMPILER_LOWERING_ADDRESS_SANITIZER_H

#include "compiler/support/program.h"
#include "compiler/work_items/launch_end.h"

namespace rivulet::compiler {

// Marks the kernels and variables of a module of the program's own source: not those of the
// built-in library, with which it isn't linked yet.
void mark_for_sanitizer(llvm::Module &module);

// Tells the pass rvl-address-sanitizer about the arguments of marked kernels.
void describe_bounds(Program &program);

} // namespace rivulet::compiler

#endif
