// SPDX-License-Identifier: Apache-2.0
//
// The header that every program reads first takes clang longer than a small program's own source. A
// compile server's programs mostly have the same options: from the second one on, clang reads the
// header's declarations from a syntax tree, and only those that the program names.
#ifndef RIVULET_COMPILER_FRONTEND_PRECOMPILED_HEADER_H
#define RIVULET_COMPILER_FRONTEND_PRECOMPILED_HEADER_H

#include <string>

#include <clang/Frontend/CompilerInvocation.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace rivulet::compiler {

// Uses the header if `files` has it and the invocation includes it first. `key` identifies all that
// the tree depends on. Nothing changes if the previous program had another key.
void use_precompiled_header(std::string key, clang::CompilerInvocation &invocation,
                            const llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> &files);

} // namespace rivulet::compiler

#endif
