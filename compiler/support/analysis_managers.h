// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SUPPORT_ANALYSIS_MANAGERS_H
#define RIVULET_COMPILER_SUPPORT_ANALYSIS_MANAGERS_H

#include <llvm/Passes/PassBuilder.h>

#include "compiler/support/program.h"

namespace rivulet::compiler {

// The machine that a function is compiled for, as an analysis for passes.
class TargetMachineAnalysis : public llvm::AnalysisInfoMixin<TargetMachineAnalysis> {
public:
    struct Result {
        const llvm::TargetMachine &machine;
        bool invalidate(llvm::Function &, const llvm::PreservedAnalyses &,
                        llvm::FunctionAnalysisManager::Invalidator &) {
            return false;
        }
    };
    explicit TargetMachineAnalysis(std::shared_ptr<llvm::TargetMachine> machine)
        : machine_(std::move(machine)) {}
    Result run(llvm::Function &, llvm::FunctionAnalysisManager &) { return {*machine_}; }

private:
    friend llvm::AnalysisInfoMixin<TargetMachineAnalysis>;
    static llvm::AnalysisKey Key;
    std::shared_ptr<llvm::TargetMachine> machine_;
};

// LLVM's analysis managers for a target, and the builder of pipelines that run with them. Kernels
// have no C library: a function with the name of a C function is the program's own.
struct Analyses {
    explicit Analyses(const Target &target, llvm::PipelineTuningOptions tuning = {});

    llvm::PassInstrumentationCallbacks callbacks;
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder;
};

} // namespace rivulet::compiler

#endif
