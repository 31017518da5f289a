// SPDX-License-Identifier: Apache-2.0
//
// A pass over a whole program: as function_pass.h, but its file defines lower() instead of run().
#ifndef RIVULET_COMPILER_SUPPORT_PROGRAM_PASS_H
#define RIVULET_COMPILER_SUPPORT_PROGRAM_PASS_H

#include <llvm/IR/PassManager.h>

#include "compiler/support/program.h"

#define RVL_PROGRAM_PASS(CLASS)                                                                    \
    struct CLASS : ProgramPass<CLASS> {                                                            \
        static llvm::StringRef name() { return #CLASS; }                                           \
        void lower(Program &, const Target &, llvm::ModuleAnalysisManager &);                      \
    }

namespace rivulet::compiler {

// The program that a module belongs to, and its target. The caller of the pass manager registers
// it.
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

// Once a pass has set the program's error, later ones do nothing. No code can be made of a module
// that lacks one of these passes, so -opt-bisect-limit doesn't skip them.
template <class Pass> struct ProgramPass : llvm::PassInfoMixin<Pass> {
    static bool isRequired() { return true; }
    llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses) {
        auto &[program, target] = analyses.getResult<ProgramAnalysis>(module);
        if (!program.error.empty())
            return llvm::PreservedAnalyses::all();
        static_cast<Pass *>(this)->lower(program, target, analyses);
        return llvm::PreservedAnalyses::none();
    }
};

} // namespace rivulet::compiler

#endif
