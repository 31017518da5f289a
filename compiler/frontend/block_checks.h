// SPDX-License-Identifier: Apache-2.0
//
// Blocks of OpenCL C 3.0, without queues on the device: a call of a block is a direct call of its
// body, because every block is known where it is called.
#ifndef RIVULET_COMPILER_FRONTEND_BLOCK_CHECKS_H
#define RIVULET_COMPILER_FRONTEND_BLOCK_CHECKS_H

#include <memory>

#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>

namespace rivulet::compiler {

// clang ties blocks to enqueue_kernel and its like: to be called when it has derived what else
// follows from the standard and the features, and before it reads the source.
void allow_blocks(clang::CompilerInstance &compiler);

// Reports what clang lets pass, and captures arrays as the specification says.
std::unique_ptr<clang::ASTConsumer> check_blocks();

} // namespace rivulet::compiler

#endif
