// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/analysis_managers.h"

#include <llvm/Analysis/TargetLibraryInfo.h>

#include "compiler/support/passes.h"
#include "compiler/support/time_report.h"
#include "compiler/support/verification.h"

namespace rivulet::compiler {

llvm::AnalysisKey TargetMachineAnalysis::Key;

Analyses::Analyses(const Target &target, llvm::PipelineTuningOptions tuning)
    : builder(target.machine.get(), tuning, std::nullopt, &callbacks) {
    verify_after_each(callbacks);
    time_each_pass(callbacks);
    add_own_passes(builder);
    llvm::TargetLibraryInfoImpl library(target.machine->getTargetTriple());
    library.disableAllFunctions();
    functions.registerPass([library] { return llvm::TargetLibraryAnalysis(library); });
    functions.registerPass([machine = target.machine] { return TargetMachineAnalysis(machine); });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
}

} // namespace rivulet::compiler
