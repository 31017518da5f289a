// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SUPPORT_VERSION_H
#define RIVULET_COMPILER_SUPPORT_VERSION_H

#include <string>

namespace rivulet::compiler {

/// "rivulet-cc 0.1.0+g356279f98a1b (LLVM 22.1.8)": kernel images and the host library's cache have
/// it, so that a result of another build is never taken for one of this build.
std::string compiler_version();

} // namespace rivulet::compiler

#endif
