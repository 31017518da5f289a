// SPDX-License-Identifier: Apache-2.0
//
// Inlines the operations that rvl-prepare-inlining kept as calls, high products, dot products and
// arithmetic with a rounding mode, if no vector instruction took their place: in scalar code and in
// kernels that aren't vectorised. Runs after the work-group pass; after it, nothing distinguishes
// these operations. Without it the functions would be called for each work-item.
#include "compiler/lowering/dot_products.h"
#include "compiler/lowering/mulhi_lowering.h"
#include "compiler/lowering/rounding_modes.h"
#include "compiler/support/program_pass.h"

namespace rivulet::compiler {

RVL_PROGRAM_PASS(InlineOperationsPass);

void InlineOperationsPass::lower(Program &program, const Target &, llvm::ModuleAnalysisManager &) {
    inline_mulhi(*program.module);
    inline_dot_products(*program.module);
    inline_directed_operations(*program.module);
}

} // namespace rivulet::compiler
