// SPDX-License-Identifier: Apache-2.0
//
// The files that a job's client may read, as a clang file system: the client opens each with its
// own privileges and passes the descriptor (hal/protocol/compile.h, OPEN).
#ifndef RIVULET_COMPILER_SERVE_CLIENT_FILES_H
#define RIVULET_COMPILER_SERVE_CLIENT_FILES_H

#include <string>

#include <llvm/Support/VirtualFileSystem.h>

namespace rivulet::compiler {

// `folder`: the client's working folder, which relative paths start from.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> client_files(int socket, std::string folder);

} // namespace rivulet::compiler

#endif
