// SPDX-License-Identifier: Apache-2.0
//
// -rv-sanitize=address: loads, stores, atomics and copies that are out of bounds end the launch
// with a report (hal/protocol/sanitizer.h). Each access is held against the bounds of what its
// pointer is derived from: a kernel argument (the record has its bounds), or a variable. A global
// pointer that comes from elsewhere is looked up in the table of the context's allocations.
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

// After the work-group pass: the pass's calls become instructions.
void lower_bad_accesses(llvm::Module &module);

} // namespace rivulet::compiler

#endif
