// SPDX-License-Identifier: Apache-2.0
//
// Blocks of OpenCL C 3.0 without device-side queues: calling a block is a direct call of its body,
// because every block is known where it is called.
#ifndef RIVULET_COMPILER_FRONTEND_BLOCK_CHECKS_H
#define RIVULET_COMPILER_FRONTEND_BLOCK_CHECKS_H

#include <memory>

#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>

namespace rivulet::compiler {

// Enables blocks without enqueue_kernel and the like, to which clang ties them. To be called after
// the language options have been derived from the standard and the features, and before parsing.
void allow_blocks(clang::CompilerInstance &compiler);

// Reports errors that clang does not, and captures arrays as specified.
std::unique_ptr<clang::ASTConsumer> check_blocks();

} // namespace rivulet::compiler

#endif
