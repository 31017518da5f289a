// SPDX-License-Identifier: Apache-2.0
#include "compiler/rvv/machine/machine_passes.h"

#include <algorithm>
#include <mutex>

#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineLoopInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/OptBisect.h>
#include <llvm/PassInfo.h>
#include <llvm/PassRegistry.h>

#include "compiler/rvv/machine/frame_base_sharing.h"
#include "compiler/rvv/machine/remat_tied_passthru.h"
#include "compiler/rvv/machine/vtype_policy_merging.h"
#include "compiler/support/passes.h"

namespace rivulet::compiler {
namespace {

template <size_t size> struct PassName {
    char text[size];
    consteval PassName(const char (&name)[size]) { std::copy_n(name, size, text); }
};

// A function of a llvm::MachineFunction, and of its loops if it takes them, as a pass.
template <PassName pass, auto transform> class MachinePass : public llvm::MachineFunctionPass {
    static constexpr bool needs_loops =
        std::is_invocable_v<decltype(transform), llvm::MachineFunction &,
                            const llvm::MachineLoopInfo &>;

public:
    MachinePass() : MachineFunctionPass(id) {}

    void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
        if constexpr (needs_loops) {
            usage.setPreservesCFG();
            usage.addRequired<llvm::MachineLoopInfoWrapperPass>();
        } else {
            usage.setPreservesAll();
        }
        MachineFunctionPass::getAnalysisUsage(usage);
    }

    bool runOnMachineFunction(llvm::MachineFunction &function) override {
        // Unlike skipFunction(), this runs for functions with `optnone`, too.
        const llvm::OptPassGate &gate = function.getFunction().getContext().getOptPassGate();
        const std::string what = ("function (" + function.getName() + ")").str();
        if (is_disabled(pass.text) || (gate.isEnabled() && !gate.shouldRunPass(pass.text, what)))
            return false;
        if constexpr (needs_loops)
            transform(function, getAnalysis<llvm::MachineLoopInfoWrapperPass>().getLI());
        else
            transform(function);
        return true;
    }

    llvm::StringRef getPassName() const override { return pass.text; }

    static llvm::Pass *create() { return new MachinePass; }
    static inline char id = 0;
};

constexpr MachinePassInfo passes[] = {
#define MACHINE_FUNCTION_PASS(NAME, FUNCTION)                                                      \
    {"rvl-" NAME, MachinePass<"rvl-" NAME, FUNCTION>::create},
#include "compiler/passes/PassRegistry.def"
};
constexpr const void *ids[] = {
#define MACHINE_FUNCTION_PASS(NAME, FUNCTION) &MachinePass<"rvl-" NAME, FUNCTION>::id,
#include "compiler/passes/PassRegistry.def"
};

} // namespace

llvm::Pass *create_remat_tied_passthru() {
    return MachinePass<"rvl-remat-tied-passthru", rematerialise_tied_passthrus>::create();
}
llvm::Pass *create_vtype_policy_merging() {
    return MachinePass<"rvl-vtype-policy-merging", merge_vtype_policies>::create();
}
llvm::Pass *create_frame_base_sharing() {
    return MachinePass<"rvl-frame-base-sharing", share_frame_bases>::create();
}

llvm::ArrayRef<MachinePassInfo> machine_passes() { return passes; }

void register_machine_passes() {
    static std::once_flag once;
    std::call_once(once, [] {
        for (auto [pass, id] : llvm::zip(passes, ids))
            llvm::PassRegistry::getPassRegistry()->registerPass(
                *new llvm::PassInfo(pass.name, pass.name, id, pass.create, /*isCFGOnly=*/false,
                                    /*is_analysis=*/false),
                /*ShouldFree=*/true);
    });
}

} // namespace rivulet::compiler
