// SPDX-License-Identifier: Apache-2.0
#include "compiler/rvv/machine/machine_passes.h"

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

using RematTiedPassthru = MachinePass<"rvl-remat-tied-passthru", rematerialise_tied_passthrus>;
using VtypePolicyMerging = MachinePass<"rvl-vtype-policy-merging", merge_vtype_policies>;
using FrameBaseSharing = MachinePass<"rvl-frame-base-sharing", share_frame_bases>;

constexpr MachinePassInfo passes[] = {
    {"rvl-remat-tied-passthru", RematTiedPassthru::create},
    {"rvl-vtype-policy-merging", VtypePolicyMerging::create},
    {"rvl-frame-base-sharing", FrameBaseSharing::create},
};
constexpr const void *ids[] = {&RematTiedPassthru::id, &VtypePolicyMerging::id,
                               &FrameBaseSharing::id};
static_assert(std::size(ids) == std::size(passes));

} // namespace

llvm::Pass *create_remat_tied_passthru() { return RematTiedPassthru::create(); }
llvm::Pass *create_vtype_policy_merging() { return VtypePolicyMerging::create(); }
llvm::Pass *create_frame_base_sharing() { return FrameBaseSharing::create(); }

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
