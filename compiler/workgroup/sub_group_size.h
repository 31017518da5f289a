// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_WORKGROUP_SUB_GROUP_SIZE_H
#define RIVULET_COMPILER_WORKGROUP_SUB_GROUP_SIZE_H

#include "compiler/support/program.h"

namespace rivulet::compiler {

// The size of the sub-groups of a kernel that requires none: one of `possible`, in ascending order,
// `usual` if its code speaks for no other.
uint32_t sub_group_size_for(const Kernel &kernel, llvm::ArrayRef<uint32_t> possible,
                            uint32_t usual);

} // namespace rivulet::compiler

#endif
