// SPDX-License-Identifier: Apache-2.0
//
// Replaces types throughout a program, in variables, functions and constants.
#ifndef RIVULET_COMPILER_LOWERING_TYPE_REWRITER_H
#define RIVULET_COMPILER_LOWERING_TYPE_REWRITER_H

#include "compiler/support/program.h"

namespace rivulet::compiler {

// The type that stands for a pointer or target type, or the type itself.
using ReplaceLeaf = llvm::Type *(*)(llvm::Type *);

// Functions that change are new ones; the program's kernels are updated.
void replace_types(Program &program, ReplaceLeaf replace_leaf);

// Whether a function, an argument or a private variable has a type that would be replaced.
bool would_replace_types(Program &program, ReplaceLeaf replace_leaf);

} // namespace rivulet::compiler

#endif
