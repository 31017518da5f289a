// SPDX-License-Identifier: Apache-2.0
//
// Maps an address in a kernel image to its source line.
#ifndef RIVULET_COMPILER_IMAGE_SYMBOLIZE_H
#define RIVULET_COMPILER_IMAGE_SYMBOLIZE_H

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace rivulet::compiler {

// "function at file:line"; an error when the image or its line table has nothing there.
std::expected<std::string, std::string> symbolize(std::string_view image, uint64_t address);

} // namespace rivulet::compiler

#endif
