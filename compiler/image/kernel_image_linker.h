// SPDX-License-Identifier: Apache-2.0
//
// The last step: machine code to a kernel image, by lld in this process.
#ifndef RIVULET_COMPILER_IMAGE_KERNEL_IMAGE_LINKER_H
#define RIVULET_COMPILER_IMAGE_KERNEL_IMAGE_LINKER_H

#include <expected>
#include <string>

#include "compiler/support/program.h"

namespace rivulet::compiler {

// Generates the code and links it. Fills the kernels' stack_bytes.
std::expected<std::string, std::string> make_image(Program &program, const Target &target);

} // namespace rivulet::compiler

#endif
