// SPDX-License-Identifier: Apache-2.0
#include "compiler/rvv/machine/machine_passes.h"

#include <mutex>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/OptBisect.h>
#include <llvm/PassInfo.h>
#include <llvm/PassRegistry.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/support/passes.h"

namespace rivulet::compiler {

void MachinePass::getAnalysisUsage(llvm::AnalysisUsage &usage) const {
    usage.setPreservesAll();
    usage.addRequired<llvm::MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(usage);
}

bool MachinePass::runOnMachineFunction(llvm::MachineFunction &function) {
    if (!function.getTarget().getTargetTriple().isRISCV() || is_disabled(name_))
        return false;
    // Unlike skipFunction(), this runs for functions with `optnone`, too.
    const llvm::OptPassGate &gate = function.getFunction().getContext().getOptPassGate();
    const std::string what = ("function (" + function.getName() + ")").str();
    if (gate.isEnabled() && !gate.shouldRunPass(name_, what))
        return false;
    run(function, getAnalysis<llvm::MachineLoopInfoWrapperPass>().getLI());
    return true;
}

llvm::ArrayRef<MachinePassInfo> machine_passes() {
    static constexpr MachinePassInfo passes[] = {
#define MACHINE_FUNCTION_PASS(NAME, CLASS)                                                         \
    {"rvl-" NAME, []() -> llvm::Pass * { return new CLASS; }, &CLASS::id},
#include "compiler/passes/PassRegistry.def"
    };
    return passes;
}

void register_machine_passes() {
    static std::once_flag once;
    std::call_once(once, [] {
        for (const MachinePassInfo &pass : machine_passes())
            llvm::PassRegistry::getPassRegistry()->registerPass(
                *new llvm::PassInfo(pass.name, pass.name, pass.id, pass.create,
                                    /*isCFGOnly=*/false, /*is_analysis=*/false),
                /*ShouldFree=*/true);
    });
}

} // namespace rivulet::compiler
