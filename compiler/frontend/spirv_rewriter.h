// SPDX-License-Identifier: Apache-2.0
//
// Rewrites SPIR-V that llvm-spirv 15 cannot read into SPIR-V that it can.
#ifndef RIVULET_COMPILER_FRONTEND_SPIRV_REWRITER_H
#define RIVULET_COMPILER_FRONTEND_SPIRV_REWRITER_H

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace rivulet::compiler {

constexpr uint32_t spirv_magic = 0x07230203;
constexpr size_t spirv_header_words = 5;

std::expected<std::vector<uint32_t>, std::string>
adapt_to_llvm_spirv(const std::vector<uint32_t> &module);

} // namespace rivulet::compiler

#endif
