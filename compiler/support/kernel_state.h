// SPDX-License-Identifier: Apache-2.0
//
// Descriptions of kernels in the IR. Up to rvl-work-items clang's metadata describes a kernel
// (frontend/kernel_metadata.h). From then on its function isn't the one of the source any more, and
// our own metadata describes it, until rvl-kernel-note has written the note of the image.
#ifndef RIVULET_COMPILER_SUPPORT_KERNEL_STATE_H
#define RIVULET_COMPILER_SUPPORT_KERNEL_STATE_H

#include <vector>

#include "compiler/support/program.h"

namespace rivulet::compiler {

void save_kernel(Kernel &kernel);
bool is_saved(const Kernel &kernel);

// The kernels saved in the module, if any.
std::vector<Kernel> saved_kernels(llvm::Module &module);

void forget_kernel(Kernel &kernel);

} // namespace rivulet::compiler

#endif
