// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/pass_pipelines.h"

#include <llvm/Transforms/IPO/ConstantMerge.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>

#include "compiler/analysis/block_hotness.h"
#include "compiler/analysis/debug_mark.h"
#include "compiler/analysis/kept_calls.h"
#include "compiler/lowering/address_sanitizer.h"
#include "compiler/support/analysis_managers.h"
#include "compiler/support/llvm_names.h"
#include "compiler/support/llvm_options.h"
#include "compiler/support/passes.h"
#include "hal/protocol/sanitizer.h"

namespace rivulet::compiler {

// Loops with #pragma unroll are unrolled up to this size, three times LLVM's own: functions of
// constants are written out by then, and go only afterwards.
constexpr unsigned pragma_unroll_max_cost = 49'152; // LLVM's cost units

namespace {

// The stage `late` is what is left of -O3 without the vectorisers and the memory-dependence
// analysis that serves them (on loops over work-items that alone takes as long as all the rest),
// and without passes that find nothing after the work-group pass: what it ends with itself, idioms
// of the C library, tail calls, a second round of jump threading, InstCombine where another one
// follows soon (not before indices are simplified). ADCE leaves no value that only wants itself:
// LLVM would work out its loads' addresses for no lane, and load for one.
class LatePasses : public llvm::PassInfoMixin<LatePasses> {
public:
    explicit LatePasses(llvm::PassBuilder &builder) {
        llvm::cantFail(builder.parsePassPipeline(usual_, pipeline_text(PassStage::late)));
        llvm::cantFail(builder.parsePassPipeline(cold_, pipeline_text(PassStage::late_cold)));
    }
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
        return (is_cold(function) ? cold_ : usual_).run(function, analyses);
    }

private:
    llvm::FunctionPassManager usual_, cold_;
};

} // namespace

std::expected<void, std::string> inline_and_simplify(Program &program, const Target &target) {
    if (auto prepared = run_module_stage(PassStage::prepare_inlining, program, target); !prepared)
        return prepared;
    set_option(llvm_option::pragma_unroll_threshold, std::to_string(pragma_unroll_max_cost));
    Analyses analyses(target);
    llvm::ModulePassManager pipeline;
    llvm::cantFail(
        analyses.builder.parsePassPipeline(pipeline, pipeline_text(PassStage::simplification)));
    pipeline.run(*program.module, analyses.modules);
    if (llvm::any_of(*program.module, is_kept_call)) {
        run_module_stage(PassStage::kept_calls, program, target, analyses);
        // LLVM has derived attributes of kernels, too, and their bodies become parts of functions
        // of which these would not be true.
        for (Kernel &kernel : program.kernels) {
            kernel.function->removeFnAttr(llvm::Attribute::Memory);
            for (llvm::Argument &argument : kernel.function->args())
                argument.removeAttr(llvm::Attribute::Initializes);
        }
    }
    if (program.large_buffers)
        run_module_stage(PassStage::large_buffers, program, target);
    for (Kernel &kernel : program.kernels)
        if (is_sanitized(*kernel.function)) {
            kernel.flags |= RVL_KERNEL_SANITIZED;
            run_stage(PassStage::sanitize, *kernel.function, analyses.functions);
        }
    return {};
}

void optimise(Program &program, const Target &target) {
    run_module_stage(PassStage::inline_delayed, program, target);
    llvm::PipelineTuningOptions tuning;
    tuning.LoopVectorization = program.optimise; // LLVM would do it at any level
    Analyses analyses(target, tuning);
    llvm::ModulePassManager pipeline;
    if (program.debuggable) {
        pipeline.addPass(llvm::GlobalDCEPass());
        for (Kernel &kernel : program.kernels)
            if (is_debuggable(*kernel.function)) { // the code generator merges no lines then
                kernel.function->addFnAttr(llvm::Attribute::OptimizeNone);
                kernel.function->addFnAttr(llvm::Attribute::NoInline);
            }
    } else if (!program.optimise)
        pipeline = analyses.builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O1);
    else if (program.vectorise == Vectorise::loops)
        pipeline = analyses.builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
    else {
        pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(LatePasses(analyses.builder)));
        pipeline.addPass(llvm::GlobalDCEPass());
        pipeline.addPass(llvm::ConstantMergePass());
    }
    pipeline.run(*program.module, analyses.modules);
    for (llvm::Function &function : *program.module)
        if (!function.isDeclaration())
            run_stage(PassStage::splat_bits, function, analyses.functions);
}

} // namespace rivulet::compiler
