// SPDX-License-Identifier: Apache-2.0
//
// Runs LLVM's pass of this name for OpenCL's generic address space (in LLVM's pipelines, a target
// names that space; RISC-V has none). An access through a generic pointer can't be vectorised as
// one of a buffer, and may alias accesses to all other spaces. Runs after inlining, where the cast
// to generic is in the same function.
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
