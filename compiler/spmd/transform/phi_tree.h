// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_PHI_TREE_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_PHI_TREE_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Where many edges merge, as behind a long chain of `else if` or a switch, the edges of each branch
// among them merge first: lanes choose between two values at a time then, as soon as both are
// there, and keep neither those of all edges nor their masks until the end.
//
//      a              a
//     / \            / \        .
//    b   c          b   c
//    |  / \    →    |  / \      .
//    | d   e        | d   e
//     \|  /         |  \ /
//       f           |   f.1
//                    \ /
//                     f
//
// Expects loops with exit blocks of their own.
void build_phi_trees(llvm::Function &function);

} // namespace rivulet::compiler

#endif
