// SPDX-License-Identifier: Apache-2.0
//
// Converts SPIR-V modules to LLVM IR with llvm-spirv in a separate process: whatever a malformed
// module does to it, the result is just a failed build with a log.
#ifndef RIVULET_COMPILER_FRONTEND_SPIRV_READER_H
#define RIVULET_COMPILER_FRONTEND_SPIRV_READER_H

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include <llvm/IR/Module.h>

#include "compiler/support/program.h"

namespace rivulet::compiler {

bool is_spirv(std::string_view bytes);

// Built-in functions get their OpenCL C names. An error is for the build log.
std::expected<std::unique_ptr<llvm::Module>, std::string>
read_spirv(llvm::LLVMContext &context, std::string_view spirv, const Target &target);

} // namespace rivulet::compiler

#endif
