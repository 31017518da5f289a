// SPDX-License-Identifier: Apache-2.0
//
// Our transforms as passes of LLVM's new pass manager, and the pipelines that passes.def lists.
#ifndef RIVULET_COMPILER_SUPPORT_PASSES_H
#define RIVULET_COMPILER_SUPPORT_PASSES_H

#include <algorithm>
#include <string>
#include <type_traits>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class PassBuilder;
class raw_ostream;
} // namespace llvm

namespace rivulet::compiler {

enum class PassStage {
#define RVL_STAGE(id, unit, what) id,
#include "compiler/support/passes.def"
};

// The passes of a stage, in the syntax of -passes=.
std::string pipeline_text(PassStage stage);

// Runs a stage over functions; returns whether one of its passes changed the function. Analyses of
// the function are cleared.
bool run_stage(PassStage stage, llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

// The same, but that analyses of the function stay, for whoever asks for them next and clears them.
void run_passes(PassStage stage, llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

// The whole table, in Markdown.
void print_pipeline(llvm::raw_ostream &stream);

// A pass of ours that pipelines can name. It is known from when the object is made: at namespace
// scope, beside the transform.
struct OwnPass {
    using Add = void (*)(llvm::FunctionPassManager &);
    OwnPass(llvm::StringRef name, Add add);
    llvm::StringRef name;
    Add add;
};
llvm::ArrayRef<OwnPass> own_passes();

// Whether option -rvl-disable-pass= of LLVM's command line names the pass.
bool is_disabled(llvm::StringRef pass);

// Lets the builder parse our passes' names, rvl-if-changed(FIRST,PASSES…) and rvl-stage-NAME.
// Passes that are disabled are left out.
void add_own_passes(llvm::PassBuilder &builder);

template <size_t size> struct PassName {
    char text[size];
    consteval PassName(const char (&name)[size]) { std::copy_n(name, size, text); }
};

// A function that changes an llvm::Function, and returns whether it did unless it returns nothing.
template <PassName pass, auto transform>
struct TransformPass : llvm::PassInfoMixin<TransformPass<pass, transform>> {
    static llvm::StringRef name() { return pass.text; }
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
        bool changed = true;
        if constexpr (std::is_invocable_v<decltype(transform), llvm::Function &,
                                          llvm::FunctionAnalysisManager &>)
            changed = transform(function, analyses);
        else if constexpr (std::is_same_v<
                               std::invoke_result_t<decltype(transform), llvm::Function &>, bool>)
            changed = transform(function);
        else
            transform(function);
        return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
    }
};

template <PassName pass, auto transform> OwnPass transform_pass() {
    return {pass.text, [](llvm::FunctionPassManager &manager) {
                manager.addPass(TransformPass<pass, transform>());
            }};
}

} // namespace rivulet::compiler

#endif
