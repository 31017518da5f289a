// SPDX-License-Identifier: Apache-2.0
//
// Attributes of functions that clang doesn't know: rivulet_instruction, of a board's built-in
// functions (lowering/vendor_instructions.h), and rivulet_sub_group, of functions that are called
// once for a sub-group (analysis/sub_group_functions.h), and qcom_reqd_sub_group_size, of kernels.
// Clang passes them on as annotations.
#ifndef RIVULET_COMPILER_FRONTEND_FUNCTION_ATTRIBUTES_H
#define RIVULET_COMPILER_FRONTEND_FUNCTION_ATTRIBUTES_H

#include <llvm/IR/Module.h>

namespace rivulet::compiler {

// Lets clang parse the attributes, in all programs of this process.
void register_function_attributes();

// Turns their annotations into attributes of LLVM's functions.
void take_function_attributes(llvm::Module &module);

} // namespace rivulet::compiler

#endif
