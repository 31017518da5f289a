// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_WORKGROUP_DEBUG_LOCATIONS_H
#define RIVULET_COMPILER_WORKGROUP_DEBUG_LOCATIONS_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// A kernel's lines belong to what was inlined into it: its new function replaces that in
// the debug information, or the lines would be lost. Lines of other functions go.
void attach_lines(llvm::Function &kernel);

} // namespace rivulet::compiler

#endif
