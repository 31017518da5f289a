// SPDX-License-Identifier: Apache-2.0
//
// Host only: replaces the steady counter by the cycle counter. LLVM can't select the steady counter
// on x86, and cl_khr_kernel_clock allows all of its clocks to be the same.
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/support/program_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_PROGRAM_PASS(HostClockPass);

void HostClockPass::lower(Program &program, const Target &target, ModuleAnalysisManager &) {
    Module &module = *program.module;
    Function *time = module.getFunction("llvm.readsteadycounter");
    if (target.host && time) {
        time->replaceAllUsesWith(
            Intrinsic::getOrInsertDeclaration(&module, Intrinsic::readcyclecounter));
        time->eraseFromParent();
    }
}

} // namespace rivulet::compiler
