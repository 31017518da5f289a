// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SUPPORT_LLVM_OPTIONS_H
#define RIVULET_COMPILER_SUPPORT_LLVM_OPTIONS_H

#include <llvm/ADT/StringRef.h>

namespace rivulet::compiler {

// Sets an option of LLVM's command line that no interface sets, as if the text were given for it.
// lld resets all options, so they are set for each module. An option that LLVM doesn't have or a
// text that it refuses is a fatal error.
void set_option(llvm::StringRef name, llvm::StringRef text);

// Sets the option back to its default.
void reset_option(llvm::StringRef name);

} // namespace rivulet::compiler

#endif
