// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_COLD_H
#define RIVULET_COMPILER_COLD_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Hardly ever runs, as the compiler knows: a kernel is cold only if its author says so.
inline bool is_cold(const llvm::Function &function) {
    return function.hasLocalLinkage() && function.hasFnAttribute(llvm::Attribute::Cold);
}

} // namespace rivulet::compiler

#endif
