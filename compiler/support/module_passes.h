// SPDX-License-Identifier: Apache-2.0
//
// Our transforms of a whole program as module passes of LLVM's new pass manager.
#ifndef RIVULET_COMPILER_SUPPORT_MODULE_PASSES_H
#define RIVULET_COMPILER_SUPPORT_MODULE_PASSES_H

#include <expected>

#include "compiler/support/passes.h"
#include "compiler/support/program.h"

namespace rivulet::compiler {

struct Analyses;

// The program whose module passes run on, and its target. Whoever runs them registers it.
class ProgramAnalysis : public llvm::AnalysisInfoMixin<ProgramAnalysis> {
public:
    struct Result {
        Program &program;
        const Target &target;
        bool invalidate(llvm::Module &, const llvm::PreservedAnalyses &,
                        llvm::ModuleAnalysisManager::Invalidator &) {
            return false;
        }
    };
    ProgramAnalysis(Program &program, const Target &target) : program_(program), target_(target) {}
    Result run(llvm::Module &, llvm::ModuleAnalysisManager &) { return {program_, target_}; }

private:
    friend llvm::AnalysisInfoMixin<ProgramAnalysis>;
    static llvm::AnalysisKey Key;
    Program &program_;
    const Target &target_;
};

// A pass that pipelines over modules can name, as OwnPass is one over functions.
struct OwnModulePass {
    using Add = void (*)(llvm::ModulePassManager &);
    OwnModulePass(llvm::StringRef name, Add add);
    llvm::StringRef name;
    Add add;
};
llvm::ArrayRef<OwnModulePass> own_module_passes();

// Runs a stage over modules, with verification as in verification.h; fails with the program's
// error. Passes that ask for analyses of functions need `analyses`.
std::expected<void, std::string> run_module_stage(PassStage stage, Program &program,
                                                  const Target &target);
std::expected<void, std::string> run_module_stage(PassStage stage, Program &program,
                                                  const Target &target, Analyses &analyses);

// A function that changes a program, or sets its error. No code comes out of a module that lacks
// it, so that -opt-bisect-limit doesn't leave it out.
template <PassName pass, auto transform>
struct ModuleTransformPass : llvm::PassInfoMixin<ModuleTransformPass<pass, transform>> {
    static llvm::StringRef name() { return pass.text; }
    static bool isRequired() { return true; }
    llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses) {
        auto &[program, target] = analyses.getResult<ProgramAnalysis>(module);
        if (!program.error.empty())
            return llvm::PreservedAnalyses::all();
        if constexpr (std::is_invocable_v<decltype(transform), Program &, const Target &,
                                          llvm::FunctionAnalysisManager &>)
            transform(
                program, target,
                analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager());
        else if constexpr (std::is_invocable_v<decltype(transform), Program &, const Target &>)
            transform(program, target);
        else if constexpr (std::is_invocable_v<decltype(transform), Program &>)
            transform(program);
        else
            transform(module);
        return llvm::PreservedAnalyses::none();
    }
};

template <PassName pass, auto transform> OwnModulePass module_pass() {
    return {pass.text, [](llvm::ModulePassManager &manager) {
                manager.addPass(ModuleTransformPass<pass, transform>());
            }};
}

} // namespace rivulet::compiler

#endif
