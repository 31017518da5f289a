// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/pass_pipelines.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/IPO/ConstantMerge.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/analysis/block_hotness.h"
#include "compiler/frontend/kernel_metadata.h"
#include "compiler/lowering/address_sanitizer.h"
#include "compiler/lowering/mulhi_lowering.h"
#include "compiler/lowering/noalias_scopes.h"
#include "compiler/lowering/static_rounding_lowering.h"
#include "compiler/rvv/ir/straight_line_strength_reduction.h"
#include "compiler/support/analysis_managers.h"
#include "compiler/support/llvm_names.h"
#include "compiler/support/llvm_options.h"
#include "compiler/support/module_passes.h"
#include "compiler/tuning/pipeline.h"
#include "hal/protocol/sanitizer.h"

namespace rivulet::compiler {
namespace {

// Stores that nobody reads: to variables that are left in memory. Of others, EarlyCSE finds most,
// and LLVM knows none of vectors; to look for them takes long.
struct DeadStores : llvm::PassInfoMixin<DeadStores> {
    static llvm::StringRef name() { return "rvl-dead-stores"; }
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
        const bool has_variables = llvm::any_of(function.getEntryBlock(), [](const auto &each) {
            return llvm::isa<llvm::AllocaInst>(each);
        });
        return has_variables ? llvm::DSEPass().run(function, analyses)
                             : llvm::PreservedAnalyses::all();
    }
};

// GVN takes time quadratic in a function's length for redundant loads on joining paths, so it skips
// them in long functions. EarlyCSE has found the loads that a dominating block shares.
struct ValueNumbering : llvm::PassInfoMixin<ValueNumbering> {
    static llvm::StringRef name() { return "rvl-gvn"; }
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
        const bool with_loads =
            function.getInstructionCount() <= tuning::gvn_loads_max_instructions;
        return llvm::GVNPass(llvm::GVNOptions().setMemDep(with_loads)).run(function, analyses);
    }
};

// For each invariant instruction that it can't speculate, LICM walks all blocks of the loop that
// come before it (LoopSafetyInfo::allLoopPathsLeadToBlock), which takes the square of the loop's
// size. The loop over work-groups has all blocks of the kernel. The hint lets LICM leave such loops
// alone.
bool limit_licm(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    bool changed = false;
    for (llvm::Loop *loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
        if (loop->getNumBlocks() <= tuning::licm_max_blocks ||
            llvm::hasDisableLICMTransformsHint(loop))
            continue;
        llvm::addStringMetadataToLoop(loop, "llvm.licm.disable", true);
        changed = true;
    }
    return changed;
}

void check_recursion(Program &program) {
    llvm::CallGraph graph(*program.module);
    for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component) {
        llvm::Function *function = component->front()->getFunction();
        if (!component.hasCycle() || !function)
            continue;
        std::string location;
        if (const llvm::DISubprogram *subprogram = function->getSubprogram())
            location = subprogram->getFilename().str() + ":" +
                       std::to_string(subprogram->getLine()) + ":1: ";
        program.error = location + "error: recursion is not supported in OpenCL C: '" +
                        name_in_source(function->getName()) + "' calls itself\n";
        return;
    }
}

// Debuggers know of one address space only, as harts do.
void forget_address_spaces(llvm::Instruction &instruction) {
    for (llvm::DbgVariableRecord &record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
        llvm::ArrayRef<uint64_t> words = record.getExpression()->getElements();
        if (words.size() >= 4 && words.back() == llvm::dwarf::DW_OP_xderef)
            record.setExpression(
                llvm::DIExpression::get(instruction.getContext(), words.drop_back(4)));
    }
}

// Kernels called by kernels have a body of their own; the stub of SPIR calls it.
void prepare_inlining(Program &program) {
    for (llvm::Function &function : *program.module) {
        const bool is_kernel = llvm::any_of(
            program.kernels, [&](const Kernel &kernel) { return kernel.function == &function; });
        function.setCallingConv(llvm::CallingConv::C);
        for (llvm::Instruction &instruction : llvm::instructions(function)) {
            forget_address_spaces(instruction);
            if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
                call->setCallingConv(llvm::CallingConv::C);
                call->removeFnAttr(llvm::Attribute::NoInline);
                // No pass may take it for the C library's function of that name.
                if (!llvm::isa<llvm::IntrinsicInst>(call))
                    call->addFnAttr(llvm::Attribute::NoBuiltin);
            }
        }
        if (function.isDeclaration() || is_kernel)
            continue;
        function.setLinkage(llvm::GlobalValue::InternalLinkage);
        function.removeFnAttr(llvm::Attribute::NoInline);
        function.removeFnAttr(llvm::Attribute::OptimizeNone);
        function.addFnAttr(llvm::Attribute::AlwaysInline);
        if (llvm::DISubprogram *subprogram = function.getSubprogram())
            subprogram->replaceRawLinkageName(nullptr); // debuggers show it instead of the name
    }
    delay_mulhi(*program.module);
    keep_directed_operations(*program.module);
    for (llvm::GlobalVariable &variable : program.module->globals())
        if (!variable.isDeclaration())
            variable.setLinkage(llvm::GlobalValue::InternalLinkage);
}

// A loop with `continue` stays one: LLVM would make two of it, which lanes leave one by one.
struct OneBackEdge : llvm::PassInfoMixin<OneBackEdge> {
    static llvm::StringRef name() { return "rvl-one-back-edge"; }
    llvm::PreservedAnalyses run(llvm::Function &function,
                                llvm::FunctionAnalysisManager &analyses) const {
        bool changed = false;
        for (llvm::Loop *loop :
             analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
            llvm::SmallVector<llvm::BasicBlock *> latches;
            loop->getLoopLatches(latches);
            if (latches.size() > 1) {
                llvm::SplitBlockPredecessors(loop->getHeader(), latches, ".again");
                changed = true;
            }
        }
        return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
    }
};

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

// Where the unit has no vectors of a type, a uniform value of that type is splatted as bits.
// InstCombine casts the vector instead: insertelement (bitcast x) → bitcast (insertelement x).
void copy_bits(llvm::Function &function) {
    using namespace llvm::PatternMatch;
    llvm::SmallVector<llvm::WeakTrackingVH> replaced;
    for (llvm::Instruction &cast : llvm::instructions(function)) {
        auto *type = llvm::dyn_cast<llvm::ScalableVectorType>(cast.getType());
        llvm::Value *scalar = nullptr, *lane = nullptr;
        if (!type ||
            !match(&cast, m_BitCast(m_InsertElt(m_Poison(), m_Value(scalar), m_Value(lane)))) ||
            scalar->getType()->getPrimitiveSizeInBits() != type->getScalarSizeInBits())
            continue;
        llvm::IRBuilder<> builder(&cast);
        cast.replaceAllUsesWith(builder.CreateInsertElement(
            llvm::PoisonValue::get(type), builder.CreateBitCast(scalar, type->getElementType()),
            lane));
        replaced.emplace_back(&cast);
    }
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
}

void inline_operations(llvm::Module &module) {
    inline_mulhi(module);
    inline_directed_operations(module);
}

const OwnModulePass module_passes[] = {
    module_pass<"rvl-check-recursion", check_recursion>(),
    module_pass<"rvl-prepare-inlining", prepare_inlining>(),
    module_pass<"rvl-inline-operations", inline_operations>(),
};

template <class Pass>
constexpr auto add_function_pass =
    [](llvm::FunctionPassManager &manager) { manager.addPass(Pass()); };

const OwnPass passes[] = {
    {"rvl-infer-address-spaces",
     [](llvm::FunctionPassManager &manager) {
         manager.addPass(llvm::InferAddressSpacesPass(generic_space));
     }},
    // A short loop of known length: its private arrays become values, its steps known offsets. Not
    // those of nests while dead paths index them.
    {"rvl-full-unroll",
     [](llvm::FunctionPassManager &manager) {
         manager.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopFullUnrollPass(3)));
     }},
    {"rvl-one-back-edge", add_function_pass<OneBackEdge>},
    {"rvl-gvn", add_function_pass<ValueNumbering>},
    {"rvl-dead-stores", add_function_pass<DeadStores>},
    transform_pass<"rvl-licm-limit", limit_licm>(),
    {"rvl-slsr", add_function_pass<StraightLineStrengthReduction>},
    transform_pass<"rvl-noalias-scopes", drop_alias_scopes_of_loops>(),
    transform_pass<"rvl-splat-bits", copy_bits>(),
};

} // namespace

void inline_and_simplify(Program &program, const Target &target) {
    run_module_stage(PassStage::prepare_inlining, program, target);
    set_option(llvm_option::pragma_unroll_threshold,
               std::to_string(tuning::pragma_unroll_max_cost));
    Analyses analyses(target);
    add_own_passes(analyses.builder);
    llvm::ModulePassManager pipeline;
    llvm::cantFail(
        analyses.builder.parsePassPipeline(pipeline, pipeline_text(PassStage::simplification)));
    pipeline.run(*program.module, analyses.modules);
    for (Kernel &kernel : program.kernels)
        if (is_sanitized(*kernel.function)) {
            kernel.flags |= RVL_KERNEL_SANITIZED;
            run_stage(PassStage::sanitize, *kernel.function, analyses.functions);
        }
}

void optimise(Program &program, const Target &target) {
    run_module_stage(PassStage::inline_delayed, program, target);
    llvm::PipelineTuningOptions tuning;
    tuning.LoopVectorization = program.optimise; // LLVM would do it at any level
    Analyses analyses(target, tuning);
    add_own_passes(analyses.builder);
    llvm::ModulePassManager pipeline;
    if (!program.optimise)
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
