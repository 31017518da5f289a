// SPDX-License-Identifier: Apache-2.0
//
// LLVM's pass of this name, for OpenCL's generic address space. An access through a pointer whose
// space isn't known can neither be vectorised as one of a buffer nor told apart from accesses to
// other spaces.
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>

#include "compiler/support/function_pass.h"
#include "compiler/support/program.h"

namespace rivulet::compiler {

RVL_FUNCTION_PASS(InferAddressSpacesPass);

llvm::PreservedAnalyses InferAddressSpacesPass::run(llvm::Function &function,
                                                    llvm::FunctionAnalysisManager &analyses) {
    return llvm::InferAddressSpacesPass(generic_space).run(function, analyses);
}

} // namespace rivulet::compiler
