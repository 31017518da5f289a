// SPDX-License-Identifier: Apache-2.0
//
// Inlines the operations that rvl-prepare-inlining kept as calls, high products, dot products,
// arithmetic with a rounding mode and a board's own instructions, if no vector instruction took
// their place: in scalar code and in kernels that aren't vectorised. Runs after the work-group
// pass; after it, nothing distinguishes these operations. Functions of sub-groups are inlined as
// well: work-items are lanes by now, and a call would save all vectors around it. Without the pass
// these functions would be called for each work-item.
#include "compiler/analysis/sub_group_functions.h"
#include "compiler/lowering/delayed_inlining.h"
#include "compiler/lowering/dot_products.h"
#include "compiler/lowering/mulhi_lowering.h"
#include "compiler/lowering/rounding_modes.h"
#include "compiler/lowering/vendor_instructions.h"
#include "compiler/support/program_pass.h"

namespace rivulet::compiler {

RVL_PROGRAM_PASS(InlineOperationsPass);

void InlineOperationsPass::lower(Program &program, const Target &, llvm::ModuleAnalysisManager &) {
    inline_mulhi(*program.module);
    inline_dot_products(*program.module);
    inline_directed_operations(*program.module);
    inline_vendor_instructions(*program.module);
    for (llvm::Function &function : llvm::make_early_inc_range(*program.module))
        if (is_sub_group_function(function) && !function.isDeclaration())
            inline_delayed(function);
}

} // namespace rivulet::compiler
