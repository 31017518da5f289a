// SPDX-License-Identifier: Apache-2.0
//
// RIVULET_DEBUG_FILES=DIRECTORY: what a debugger needs for kernels. Sources, kernel images, and
// PROCESS.gdb, a gdb script with the load address of each image.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host-runtime/program/kernel_image.h"

namespace rivulet::debug_files {

/// True if the variable is set.
bool wanted();

/// The source to compile: its line information refers to a file that a debugger can find.
std::string keep_source(std::string_view source);

/// Keeps an image loaded at `base` on the device; returns its file name, "" if none.
std::string keep_image(const KernelImage &image, uint64_t base);

} // namespace rivulet::debug_files
