// SPDX-License-Identifier: Apache-2.0
#include "compiler/code_generator.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/LoopInfo.h>
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
#include <llvm/IR/Dominators.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/OptBisect.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/cold.h"
#include "compiler/field_stores.h"
#include "compiler/fused_operands.h"
#include "compiler/lower_bounds.h"
#include "compiler/mask_policies.h"
#include "compiler/opaque_addresses.h"
#include "compiler/runtime/dispatch.h"
#include "compiler/scalar_signs.h"
#include "compiler/sink_splats.h"
#include "compiler/truth_values.h"
#include "compiler/vector_lengths.h"
#include "compiler/vector_registers.h"

namespace rivulet::compiler {
namespace {

// Instructions of a function above which lengths are split; of one whose vectors are left as they
// are; of a module that is made only once, and of a function out of whose loops nothing is hoisted
// anymore, which asks all exits of a loop for each of its blocks.
constexpr unsigned large = 2'000;
constexpr unsigned very_large = 5'000;
constexpr unsigned huge = 20'000;

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
        for (const llvm::MachineBasicBlock &block : function)
            for (const llvm::MachineInstr &instruction : block)
                if (instruction.isCall())
                    frame.callees.push_back(callee(instruction));
        return false;
    }

    llvm::StringRef getPassName() const override { return "Rivulet frame reader"; }

private:
    // Spilled vector registers lie apart, in units of the vector length; a target for any length
    // is taken at the longest that this project's devices have.
    uint64_t scalable_bytes(const llvm::MachineFrameInfo &info) const {
        uint64_t bytes = 0;
        for (int i = info.getObjectIndexBegin(); i < info.getObjectIndexEnd(); ++i)
            if (info.getStackID(i) == llvm::TargetStackID::ScalableVector &&
                !info.isDeadObjectIndex(i))
                bytes += llvm::alignTo(static_cast<uint64_t>(info.getObjectSize(i)),
                                       std::max<uint64_t>(8, info.getObjectAlign(i).value()));
        constexpr unsigned longest = 1024;
        return llvm::alignTo(bytes, 16) * (vlen_ ? vlen_ : longest) / 64;
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

class SharedMaskPolicies : public llvm::MachineFunctionPass {
public:
    SharedMaskPolicies() : MachineFunctionPass(id) {}
    void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
        usage.setPreservesAll();
        MachineFunctionPass::getAnalysisUsage(usage);
    }
    bool runOnMachineFunction(llvm::MachineFunction &function) override {
        share_mask_policies(function);
        return true;
    }
    llvm::StringRef getPassName() const override { return "Rivulet mask policies"; }

private:
    static char id;
};
char SharedMaskPolicies::id = 0;

// Says which functions a pass of the code generator leaves alone.
class Gate : public llvm::OptPassGate {
public:
    explicit Gate(llvm::LLVMContext &context)
        : context_(context), before_(context.getOptPassGate()) {
        context.setOptPassGate(*this);
    }
    ~Gate() override { context_.setOptPassGate(before_); }
    Gate(const Gate &) = delete;
    Gate &operator=(const Gate &) = delete;

    llvm::StringSet<> unscheduled, unhoisted, unreduced;

private:
    bool isEnabled() const override { return true; }
    bool shouldRunPass(llvm::StringRef pass, llvm::StringRef what) const override {
        // What is asked for a loop doesn't name it; it is of the function that was named last.
        if (what.consume_front("function (")) {
            what.consume_back(")");
            function_ = what.str();
        }
        if (pass == "Loop Strength Reduction")
            return !unreduced.contains(function_);
        if (pass == "machine-scheduler")
            return !unscheduled.contains(what);
        return pass != "early-machinelicm" || !unhoisted.contains(what);
    }

    llvm::LLVMContext &context_;
    llvm::OptPassGate &before_;
    mutable std::string function_;
};

// lld sets all options back, so they are set each time.
template <class Value> void set_option(llvm::StringRef name, Value value) {
    auto found = llvm::cl::getRegisteredOptions().find(name);
    if (found == llvm::cl::getRegisteredOptions().end())
        return;
    auto *option = static_cast<llvm::cl::opt<Value> *>(found->second);
    if (option->getNumOccurrences() == 0)
        option->addOccurrence(1, name, "true");
    option->setValue(value);
}

// All kernels are called for rows: no prefix is RVL_CALL_ONCE.
static_assert(RVL_CALL_ONCE == 0);
bool is_flat(const llvm::Module &module) {
    return llvm::none_of(module, [](const llvm::Function &function) {
        return function.hasPrefixData() && function.getPrefixData()->isNullValue();
    });
}

// Nothing is in a loop over strips, which is in one over rows.
bool has_strips_only(llvm::Function &function) {
    const llvm::DominatorTree tree(function);
    const llvm::LoopInfo loops(tree);
    return llvm::all_of(loops.getLoopsInPreorder(),
                        [](const llvm::Loop *loop) { return loop->getLoopDepth() <= 2; });
}

// What lives over a call of it stays in v1 to v7 and v24 to v31, which the callee saves: psABI 1.0,
// "Standard Vector Calling Convention Variant".
void keep_vectors(llvm::Function &cold) {
    cold.setCallingConv(llvm::CallingConv::RISCV_VectorCall);
    for (llvm::User *user : cold.users())
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(user))
            call->setCallingConv(llvm::CallingConv::RISCV_VectorCall);
}

// Or only lines, as without -g.
bool describes_variables(const llvm::Module &module) {
    return llvm::any_of(module.debug_compile_units(), [](const llvm::DICompileUnit *unit) {
        return unit->getEmissionKind() == llvm::DICompileUnit::FullDebug;
    });
}

// What code generation depends on, beside the module.
struct Settings {
    std::shared_ptr<llvm::TargetMachine> machine;
    unsigned vlen = 0;
    CodeKind kind = CodeKind::object;
    bool variables = false; // are described

    bool operator==(const Settings &) const = default;
};

// Code generation for one module after the other: to put its passes together takes longer than most
// of them run on a small kernel.
class Generator {
public:
    explicit Generator(const Settings &settings) : settings_(settings) {
        auto &machine = static_cast<llvm::CodeGenTargetMachineImpl &>(*settings.machine);
        // As TargetMachine::addPassesToEmitFile does, with one pass more.
        auto *info = new llvm::MachineModuleInfoWrapperPass(&machine);
        llvm::TargetPassConfig *config = machine.createPassConfig(passes_);
        config->setDisableVerify(true);
        leave_out_needless(*config);
        passes_.add(config);
        passes_.add(info);
        if (config->addISelPasses())
            llvm::report_fatal_error("this target has no instruction selection");
        config->addMachinePasses();
        config->setInitialized();
        passes_.add(new SharedMaskPolicies);
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
        passes_.run(module);
        return std::exchange(code_, {});
    }

private:
    // Passes for what kernels have not: collected memory, safe points, handlers of exceptions,
    // entries that are traced or patched.
    void leave_out_needless(llvm::TargetPassConfig &config) const {
        for (llvm::AnalysisID pass :
             {&llvm::GCLoweringID, &llvm::ShadowStackGCLoweringID, &llvm::GCMachineCodeAnalysisID,
              &llvm::FixupStatepointCallerSavedID, &llvm::StackMapLivenessID,
              &llvm::FuncletLayoutID, &llvm::FEntryInserterID, &llvm::XRayInstrumentationID,
              &llvm::PatchableFunctionID, &llvm::RemoveLoadsIntoFakeUsesID,
              &llvm::MachineSanitizerBinaryMetadataID, &llvm::StackFrameLayoutAnalysisPassID})
            config.disablePass(pass);
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

Code generate(llvm::Module &module, const Target &target, CodeKind kind) {
    static std::unique_ptr<Generator> last;
    const Settings settings = {target.machine, target.vlen, kind, describes_variables(module)};
    if (!last || last->settings() != settings)
        last = std::make_unique<Generator>(settings);
    return last->run(module);
}

} // namespace

// The scheduler makes values live longer, sometimes longer than the vector registers last: then the
// code of such functions is made once more, in the order that they have and with the fields of
// structures stored one by one, and the cheaper form of each stays; if that doesn't do, with
// vectors that are put away by choice. Modules that take long are made only once.
Code generate_code(llvm::Module &module, const Target &target, CodeKind kind) {
    Gate gate(module.getContext());
    const bool flat = is_flat(module);
    unsigned size = 0;
    for (llvm::Function &function : module) {
        if (is_cold(function) || (flat && !function.isDeclaration() && has_strips_only(function)))
            gate.unreduced.insert(function.getName());
        if (target.min_vlen && is_cold(function))
            keep_vectors(function);
        const unsigned count = function.getInstructionCount();
        size += count;
        if (count <= very_large) {
            bound_as_integers(function);
            join_truth_values(function);
            share_scalars_of_both_signs(function);
            relieve_vector_registers(function);
            order_factors(function);
            hide_starts_of_addresses(function);
        }
        if (count > large)
            split_vector_lengths(function);
        if (count > huge)
            gate.unhoisted.insert(function.getName());
    }
    // Where strength reduction takes more pointers than it has instructions to save: it does with
    // few streams over long rows, which flat kernels have.
    set_option("lsr-drop-solution", flat ? llvm::cl::BOU_TRUE : llvm::cl::BOU_UNSET);
    set_option("misched-cluster", false);
    set_option("disable-mergeicmps", true); // to memcmp, which nobody has
    set_option("disable-partial-libcall-inlining", true);
    llvm::StringSet<> &unscheduled = gate.unscheduled;
    llvm::StringSet<> put_away;
    // Of all functions, or of some: less those whose code would be what it is already.
    auto generated = [&](llvm::StringSet<> *some) -> Code {
        llvm::ValueToValueMapTy map;
        auto copy = llvm::CloneModule(module, map, [&](const llvm::GlobalValue *value) {
            return !some || !llvm::isa<llvm::Function>(value) || some->contains(value->getName());
        });
        for (llvm::Function &function : *copy) {
            if (function.isDeclaration())
                continue;
            if (unscheduled.contains(function.getName()))
                store_fields_apart(function);
            if (put_away.contains(function.getName())) {
                bool any = false;
                if (function.getInstructionCount() <= very_large) {
                    any = put_vectors_away(function);
                    any |= fetch_scalars(function);
                }
                if (!any && some) {
                    some->erase(function.getName());
                    function.deleteBody();
                    continue;
                }
            }
            if (target.min_vlen)
                sink_splats(function, *target.machine);
        }
        return some && some->empty() ? Code() : generate(*copy, target, kind);
    };
    Code code = generated(nullptr);
    if (size > huge)
        return code;
    bool outdated = false;
    for (llvm::StringSet<> *changed : {&unscheduled, &put_away}) {
        const llvm::StringSet<> before = unscheduled;
        for (const auto &frame : code.frames)
            if (frame.getValue().statistics.spills_in_loops &&
                !is_cold(*module.getFunction(frame.getKey()))) {
                unscheduled.insert(frame.getKey());
                changed->insert(frame.getKey());
            }
        if (changed->empty())
            break;
        Code other = generated(changed);
        for (auto &frame : code.frames) {
            const Frame now = other.frames.lookup(frame.getKey());
            if (changed->contains(frame.getKey()) &&
                now.statistics.cost < frame.getValue().statistics.cost) {
                frame.getValue() = now;
                continue;
            }
            changed->erase(frame.getKey());
            if (!before.contains(frame.getKey()))
                unscheduled.erase(frame.getKey());
        }
        if (changed->empty())
            continue;
        outdated = changed->size() < code.frames.size();
        if (!outdated)
            code = std::move(other);
    }
    return outdated ? generated(nullptr) : code;
}

} // namespace rivulet::compiler
