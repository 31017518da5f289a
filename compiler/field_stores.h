// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_FIELD_STORES_H
#define RIVULET_COMPILER_FIELD_STORES_H

#include <llvm/IR/BasicBlock.h>

namespace rivulet::compiler {

// Fields that one instruction stores wait for each other, and side by side: each is stored alone
// then, as soon as it is there.
void store_fields_apart(llvm::BasicBlock &block);

} // namespace rivulet::compiler

#endif
