// SPDX-License-Identifier: Apache-2.0
//
// #pragma OPENCL EXTENSION name : behavior. Clang warns of extensions that its own table doesn't
// know, that need no pragma there, or that its table has only for later versions of the language.
#ifndef RIVULET_COMPILER_FRONTEND_EXTENSION_PRAGMA_H
#define RIVULET_COMPILER_FRONTEND_EXTENSION_PRAGMA_H

#include <clang/Lex/Preprocessor.h>

namespace rivulet::compiler {

/// Pragmas that name an extension in `offered` are accepted silently; `lending`, which clang was
/// told to support but no device offers, gets the warning for unsupported extensions.
void accept_extension_pragmas(clang::Preprocessor &preprocessor,
                              std::vector<llvm::StringRef> offered, llvm::StringRef lending);

} // namespace rivulet::compiler

#endif
