// SPDX-License-Identifier: Apache-2.0
//
// The passes over machine code. They belong to LLVM's legacy pass manager, which still runs its
// code generator: -print-after=NAME, -opt-bisect-limit= and -time-passes know them, and
// -rvl-disable-pass=NAME leaves them out. Pass rvl-x-y is a row of passes/PassRegistry.def; its
// file, x_y.cpp, defines XYPass::run().
#ifndef RIVULET_COMPILER_RVV_MACHINE_MACHINE_PASSES_H
#define RIVULET_COMPILER_RVV_MACHINE_MACHINE_PASSES_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineLoopInfo.h>

namespace rivulet::compiler {

// A pass that changes instructions of RISC-V and leaves the control flow alone.
class MachinePass : public llvm::MachineFunctionPass {
public:
    void getAnalysisUsage(llvm::AnalysisUsage &usage) const final;
    bool runOnMachineFunction(llvm::MachineFunction &function) final;
    llvm::StringRef getPassName() const final { return name_; }

protected:
    MachinePass(llvm::StringRef name, char &id) : MachineFunctionPass(id), name_(name) {}
    virtual void run(llvm::MachineFunction &function, const llvm::MachineLoopInfo &loops) = 0;

private:
    llvm::StringRef name_;
};

#define MACHINE_FUNCTION_PASS(NAME, CLASS)                                                         \
    struct CLASS : MachinePass {                                                                   \
        CLASS() : MachinePass("rvl-" NAME, id) {}                                                  \
        void run(llvm::MachineFunction &function, const llvm::MachineLoopInfo &loops) override;    \
        static inline char id = 0;                                                                 \
    };
#include "compiler/passes/PassRegistry.def"

struct MachinePassInfo {
    llvm::StringRef name;
    llvm::Pass *(*create)(); // the caller, or its pass manager, owns the pass
    const void *id;
};
llvm::ArrayRef<MachinePassInfo> machine_passes();

// Makes the names known to LLVM's registry of passes. The second call does nothing.
void register_machine_passes();

} // namespace rivulet::compiler

#endif
