// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/version.h"

#include <llvm/Config/llvm-config.h>

#include "base/build_version.h"

namespace rivulet::compiler {

std::string compiler_version() {
    return std::string("rivulet-cc ") + build_version() + " (LLVM " LLVM_VERSION_STRING ")";
}

} // namespace rivulet::compiler
