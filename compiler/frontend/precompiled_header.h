// SPDX-License-Identifier: Apache-2.0
//
// The header that every program reads first takes clang longer than a small program's own source.
// A compile server's programs mostly have the same options: from the second one on they find what
// the header declares in a syntax tree of it, of which clang reads only what they name.
#ifndef RIVULET_COMPILER_FRONTEND_PRECOMPILED_HEADER_H
#define RIVULET_COMPILER_FRONTEND_PRECOMPILED_HEADER_H

#include <string>

#include <clang/Frontend/CompilerInvocation.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace rivulet::compiler {

// Uses the header if files has it and it is in invocation's list of what is included first. key:
// all that the tree depends on. Nothing changes if the program before this one had another.
void use_precompiled_header(std::string key, clang::CompilerInvocation &invocation,
                            const llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> &files);

} // namespace rivulet::compiler

#endif
