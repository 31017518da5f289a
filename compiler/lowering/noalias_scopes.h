// SPDX-License-Identifier: Apache-2.0
//
// Restricts the alias scopes of `restrict` to where they are valid.
#ifndef RIVULET_COMPILER_LOWERING_NOALIAS_SCOPES_H
#define RIVULET_COMPILER_LOWERING_NOALIAS_SCOPES_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Forgets the alias scopes (`restrict` parameters of inlined functions) that are declared in a
// loop. Such a scope says something of one execution of its declaration only. A pass that makes
// several iterations of one has to give each its own scopes, and finds them by their declaration,
// of which lanes have none.
void drop_alias_scopes_of_loops(llvm::Function &function);

} // namespace rivulet::compiler

#endif
