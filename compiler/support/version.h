// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SUPPORT_VERSION_H
#define RIVULET_COMPILER_SUPPORT_VERSION_H

#include <llvm/Config/llvm-config.h>

namespace rivulet::compiler {
inline constexpr char compiler_version[] =
    "rivulet-cc " RIVULET_VERSION " (LLVM " LLVM_VERSION_STRING ")";
}

#endif
