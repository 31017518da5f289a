// SPDX-License-Identifier: Apache-2.0
//
// Removes functions that were inlined everywhere, and then variables in local memory that nothing
// uses any more. Only these functions still use them: rvl-group-loops has given each variable a
// place in the group's memory. LLVM's GlobalDCE would do, but runs after address spaces are
// flattened, when a variable in local memory would be emitted as one of the program.
#include <llvm/IR/Module.h>

#include "compiler/support/program_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_PROGRAM_PASS(RemoveUnusedPass);

void RemoveUnusedPass::lower(Program &program, const Target &, ModuleAnalysisManager &) {
    Module &module = *program.module;
    for (bool changed = true; changed;) {
        changed = false;
        for (Function &function : make_early_inc_range(module))
            if (function.use_empty() && function.hasLocalLinkage() && !function.isDeclaration()) {
                function.eraseFromParent();
                changed = true;
            }
    }
    for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
        variable.removeDeadConstantUsers();
        if (variable.getAddressSpace() == local_space && variable.use_empty())
            variable.eraseFromParent();
    }
}

} // namespace rivulet::compiler
