// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/codegen_pipeline.h"

#include <llvm/CodeGen/CodeGenTargetMachineImpl.h>
#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineLoopInfo.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetFrameLowering.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>

#include "compiler/analysis/vector_registers.h"
#include "compiler/codegen/asm_statistics.h"
#include "compiler/rvv/machine/machine_passes.h"
#include "compiler/support/instruction_remarks.h"
#include "compiler/support/llvm_names.h"
#include "compiler/support/time_report.h"
#include "compiler/support/verification.h"

namespace rivulet::compiler {
namespace {

// Reads the frame of each function once its layout is final.
class FrameReader : public llvm::MachineFunctionPass {
public:
    FrameReader(llvm::StringMap<Frame> &frames, unsigned vlen)
        : MachineFunctionPass(id), frames_(frames), vlen_(vlen) {}

    void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
        usage.setPreservesAll();
        usage.addRequired<llvm::MachineLoopInfoWrapperPass>();
        MachineFunctionPass::getAnalysisUsage(usage);
    }

    bool runOnMachineFunction(llvm::MachineFunction &function) override {
        const llvm::MachineFrameInfo &info = function.getFrameInfo();
        Frame &frame = frames_[function.getName()];
        frame.bytes = info.getStackSize() + scalable_bytes(info);
        frame.dynamic = info.hasVarSizedObjects();
        frame.statistics =
            count_instructions(function, getAnalysis<llvm::MachineLoopInfoWrapperPass>().getLI());
        if (wants_remarks(function.getFunction().getContext()))
            frame.spilling_lines = find_spilling_lines(function);
        for (const llvm::MachineBasicBlock &block : function)
            for (const llvm::MachineInstr &instruction : block)
                if (instruction.isCall())
                    frame.callees.push_back(callee(instruction));
        return false;
    }

    llvm::StringRef getPassName() const override { return "Rivulet frame reader"; }

private:
    // Spilled vector registers have a separate area, in units of the vector length. If the target
    // allows any length, the estimate is for the longest one of the project's devices.
    uint64_t scalable_bytes(const llvm::MachineFrameInfo &info) const {
        uint64_t bytes = 0;
        for (int i = info.getObjectIndexBegin(); i < info.getObjectIndexEnd(); ++i)
            if (info.getStackID(i) == llvm::TargetStackID::ScalableVector &&
                !info.isDeadObjectIndex(i))
                bytes += llvm::alignTo(static_cast<uint64_t>(info.getObjectSize(i)),
                                       std::max<uint64_t>(8, info.getObjectAlign(i).value()));
        return llvm::alignTo(bytes, 16) * (vlen_ ? vlen_ : largest_vlen) / 64;
    }

    static std::string callee(const llvm::MachineInstr &call) {
        for (const llvm::MachineOperand &operand : call.operands()) {
            if (operand.isGlobal())
                return operand.getGlobal()->getName().str();
            if (operand.isSymbol())
                return operand.getSymbolName();
        }
        return "";
    }

    static char id;
    llvm::StringMap<Frame> &frames_;
    const unsigned vlen_;
};
char FrameReader::id = 0;

// MCContext::reset() keeps the symbols of numeric labels (`1:`, `1b`) whose memory it frees.
bool leaves_dangling_labels(const llvm::Module &module) {
    auto defines_labels = [](llvm::StringRef text) { return text.contains(':'); };
    return defines_labels(module.getModuleInlineAsm()) ||
           llvm::any_of(module, [&](const llvm::Function &function) {
               return llvm::any_of(
                   llvm::instructions(function), [&](const llvm::Instruction &instruction) {
                       auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
                       auto *code = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())
                                         : nullptr;
                       return code && defines_labels(code->getAsmString());
                   });
           });
}

// False if there are only line tables, as without -g.
bool describes_variables(const llvm::Module &module) {
    return llvm::any_of(module.debug_compile_units(), [](const llvm::DICompileUnit *unit) {
        return unit->getEmissionKind() == llvm::DICompileUnit::FullDebug;
    });
}

// The settings, apart from the module, that code generation depends on.
struct Settings {
    std::shared_ptr<llvm::TargetMachine> machine;
    unsigned vlen = 0;
    CodeKind kind = CodeKind::object;
    bool variables = false; // are described
    bool verify = false;
    bool timed = false;

    bool operator==(const Settings &) const = default;
};

// Generates code for one module after another: constructing the pass pipeline takes longer than
// running most passes on a small kernel. Modules may have separate contexts, because LLVM's passes
// drop what they keep of a module at its end (doFinalization resets MachineModuleInfo with its
// MCContext, and AsmPrinter; analyses are dropped per function, as are assumption caches). Only
// SelectionDAG keeps lists of value types. It finds them by the addresses of types, and they
// contain only that address, so stale entries are harmless. After a module with labels in inline
// assembly, the pipeline isn't reused.
class CodegenPipeline {
public:
    explicit CodegenPipeline(const Settings &settings) : settings_(settings) {
        auto &machine = static_cast<llvm::CodeGenTargetMachineImpl &>(*settings.machine);
        // The steps of TargetMachine::addPassesToEmitFile, with passes of our own among them.
        auto *info = new llvm::MachineModuleInfoWrapperPass(&machine);
        llvm::TargetPassConfig *config = machine.createPassConfig(passes_);
        config->setDisableVerify(!settings.verify);
        leave_out(*config);
        passes_.add(config);
        passes_.add(info);
        register_machine_passes();
        config->insertPass(&llvm::PeepholeOptimizerLegacyID, new RematTiedPassthruPass);
        if (settings.verify)
            config->insertPass(&llvm::PeepholeOptimizerLegacyID,
                               verifier("rvl-remat-tied-passthru"));
        if (config->addISelPasses())
            llvm::report_fatal_error("this target has no instruction selection");
        config->addMachinePasses();
        config->setInitialized();
        if (settings.verify)
            passes_.add(verifier("LLVM's code generator"));
        passes_.add(new VtypePolicyMergingPass);
        passes_.add(new FrameBaseSharingPass);
        if (settings.verify)
            passes_.add(verifier("rvl-vtype-policy-merging and rvl-frame-base-sharing"));
        passes_.add(new FrameReader(code_.frames, settings.vlen));
        machine.addAsmPrinter(passes_, output_, nullptr,
                              settings.kind == CodeKind::object
                                  ? llvm::CodeGenFileType::ObjectFile
                                  : llvm::CodeGenFileType::AssemblyFile,
                              info->getMMI().getContext());
        passes_.add(llvm::createFreeMachineFunctionPass());
    }

    const Settings &settings() const { return settings_; }

    Code run(llvm::Module &module) {
        llvm::TimePassesIsEnabled = settings_.timed;
        passes_.run(module);
        llvm::TimePassesIsEnabled = false;
        return std::exchange(code_, {});
    }

private:
    static llvm::Pass *verifier(const std::string &pass) {
        return llvm::createMachineVerifierPass("rivulet-cc: after " + pass);
    }

    // Leaves out passes for features that kernels don't have: garbage collection, safe points,
    // exception handlers, entries that are traced or patched. Also leaves out a pass that is wrong.
    void leave_out(llvm::TargetPassConfig &config) const {
        for (llvm::AnalysisID pass :
             {&llvm::GCLoweringID, &llvm::ShadowStackGCLoweringID, &llvm::GCMachineCodeAnalysisID,
              &llvm::FixupStatepointCallerSavedID, &llvm::StackMapLivenessID,
              &llvm::FuncletLayoutID, &llvm::FEntryInserterID, &llvm::XRayInstrumentationID,
              &llvm::PatchableFunctionID, &llvm::RemoveLoadsIntoFakeUsesID,
              &llvm::MachineSanitizerBinaryMetadataID, &llvm::StackFrameLayoutAnalysisPassID})
            config.disablePass(pass);
        // The combiner reassociates sums under different masks and then adds under the wrong one.
        config.disablePass(&llvm::MachineCombinerID);
        if (!settings_.variables) {
            config.disablePass(&llvm::LiveDebugValuesID); // it goes through all instructions
            config.disablePass(&llvm::RemoveRedundantDebugValuesID);
        }
    }

    Settings settings_;
    Code code_;
    llvm::raw_svector_ostream output_{code_.bytes};
    llvm::legacy::PassManager passes_;
};

// LLVM finds a pass's timer by the pass's address, and would give it to a later pass at the same
// address. So pipelines that were timed are kept until the process ends.
void drop(std::unique_ptr<CodegenPipeline> &pipeline) {
    static std::vector<std::unique_ptr<CodegenPipeline>> timed;
    if (pipeline->settings().timed)
        timed.push_back(std::move(pipeline));
    pipeline.reset();
}

} // namespace

Code make_machine_code(llvm::Module &module, const Target &target, CodeKind kind) {
    static std::unique_ptr<CodegenPipeline> last;
    const Settings settings = {target.machine,
                               target.vlen,
                               kind,
                               describes_variables(module),
                               verification_is_on(),
                               TimeReport::current() != nullptr};
    if (TimeReport *report = TimeReport::current())
        report->count("code generator", module.getInstructionCount());
    if (last && last->settings() != settings)
        drop(last);
    if (!last)
        last = std::make_unique<CodegenPipeline>(settings);
    const bool is_spent = leaves_dangling_labels(module);
    Code code = last->run(module);
    if (is_spent)
        drop(last);
    return code;
}

PassGate::PassGate(llvm::LLVMContext &context)
    : context_(context), before_(context.getOptPassGate()) {
    context.setOptPassGate(*this);
}

PassGate::~PassGate() { context_.setOptPassGate(before_); }

bool PassGate::shouldRunPass(llvm::StringRef pass, llvm::StringRef what) const {
    // A query about a loop doesn't name the function; the last function that was named contains it.
    if (what.consume_front("function (")) {
        what.consume_back(")");
        function_ = what.str();
    }
    if (pass == llvm_pass::loop_strength_reduction)
        return !unreduced.contains(function_);
    if (pass == llvm_pass::machine_scheduler)
        return !unscheduled.contains(what);
    if (pass == llvm_pass::code_gen_prepare)
        return !unsunk.contains(what);
    return pass != llvm_pass::early_machine_licm || !unhoisted.contains(what);
}

} // namespace rivulet::compiler
