// SPDX-License-Identifier: Apache-2.0
//
// Kernels as the module's metadata describes them: arguments, attributes, hints.
#ifndef RIVULET_COMPILER_FRONTEND_KERNEL_METADATA_H
#define RIVULET_COMPILER_FRONTEND_KERNEL_METADATA_H

#include <string>
#include <vector>

#include "compiler/support/program.h"

namespace rivulet::compiler {

// Reads clang's metadata; lays out the argument blocks. The module must still be SPIR's.
std::vector<Kernel> find_kernels(llvm::Module &module);

// The name of a function for messages: clang renames the bodies of kernels and blocks.
std::string name_in_source(llvm::StringRef name);

} // namespace rivulet::compiler

#endif
