// SPDX-License-Identifier: Apache-2.0
//
// All tuning constants. Code includes the header of its folder instead (spmd_plan.h …), so that a
// change of a constant builds that folder again only.
#ifndef RIVULET_COMPILER_TUNING_TUNING_H
#define RIVULET_COMPILER_TUNING_TUNING_H

namespace llvm {
class raw_ostream;
}

namespace rivulet::compiler {

// A table for each folder, in Markdown.
void print_tuning(llvm::raw_ostream &stream);

} // namespace rivulet::compiler

#endif
