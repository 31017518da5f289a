// SPDX-License-Identifier: Apache-2.0
//
// RIVULET_DEBUG_FILES=DIRECTORY: what a debugger needs of kernels. Sources, kernel images, and
// PROCESS.gdb, a gdb script that says which image lies where.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host-runtime/program/kernel_image.h"

namespace rivulet::debug_files {

/// The source as it is to be compiled: its lines are those of a file that a debugger finds.
std::string keep_source(std::string_view source);

/// An image that lies at `base` on the device; the file that it is kept in, "" if none is.
std::string keep_image(const KernelImage &image, uint64_t base);

} // namespace rivulet::debug_files
