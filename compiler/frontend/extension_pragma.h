// SPDX-License-Identifier: Apache-2.0
//
// #pragma OPENCL EXTENSION name : behavior. Clang warns of extensions that its own table doesn't
// know, that need no pragma there, or that it knows of later versions of the language only.
#ifndef RIVULET_COMPILER_FRONTEND_EXTENSION_PRAGMA_H
#define RIVULET_COMPILER_FRONTEND_EXTENSION_PRAGMA_H

#include <clang/Lex/Preprocessor.h>

namespace rivulet::compiler {

/// Pragmas that name one of `offered` are accepted without a word; one that names `lending`, which
/// clang was told to support and no device offers, gets the warning of unsupported ones.
void accept_extension_pragmas(clang::Preprocessor &preprocessor,
                              std::vector<llvm::StringRef> offered, llvm::StringRef lending);

} // namespace rivulet::compiler

#endif
