// SPDX-License-Identifier: Apache-2.0
//
// SPIR-V modules to LLVM, by llvm-spirv in a process of its own: whatever a module makes of that,
// it is one failed build with a log.
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

// Built-in functions come with their names in OpenCL C. An error is for the build log.
std::expected<std::unique_ptr<llvm::Module>, std::string>
read_spirv(llvm::LLVMContext &context, std::string_view spirv, const Target &target);

} // namespace rivulet::compiler

#endif
