// SPDX-License-Identifier: Apache-2.0
//
// The pipelines of passes/pipeline.def, run by LLVM's new pass manager.
#ifndef RIVULET_COMPILER_SUPPORT_PASSES_H
#define RIVULET_COMPILER_SUPPORT_PASSES_H

#include <expected>
#include <string>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class PassBuilder;
class raw_ostream;
} // namespace llvm

namespace rivulet::compiler {

struct Analyses;
struct Program;
struct Target;

enum class PassStage {
#define RVL_STAGE(id, unit, what) id,
#include "compiler/passes/pipeline.def"
};

// The passes of a stage, in the syntax of -passes=.
std::string pipeline_text(PassStage stage);

// Runs a stage over functions; returns whether one of its passes changed the function. Analyses of
// the function are cleared.
bool run_stage(PassStage stage, llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

// The same, but analyses of the function stay cached; the caller clears them.
void run_passes(PassStage stage, llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

// The whole table, in Markdown.
void print_pipeline(llvm::raw_ostream &stream);

// The names of our passes, in the order of passes/PassRegistry.def.
llvm::ArrayRef<llvm::StringRef> own_passes();

// Whether option -rvl-disable-pass= of LLVM's command line names the pass.
bool is_disabled(llvm::StringRef pass);

// Lets the builder parse the names of our passes (passes/register.cpp). Passes that are disabled
// are left out.
void register_passes(llvm::PassBuilder &builder);

// The same, and rvl-if-changed(FIRST,PASSES…) and rvl-stage-NAME.
void add_own_passes(llvm::PassBuilder &builder);

// Runs a stage over modules, with verification as in verification.h; fails with the program's
// error. Passes that ask for analyses of functions need `analyses`.
std::expected<void, std::string> run_module_stage(PassStage stage, Program &program,
                                                  const Target &target);
std::expected<void, std::string> run_module_stage(PassStage stage, Program &program,
                                                  const Target &target, Analyses &analyses);

} // namespace rivulet::compiler

#endif
