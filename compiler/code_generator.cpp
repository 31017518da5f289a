// SPDX-License-Identifier: Apache-2.0
#include "compiler/code_generator.h"

#include <llvm/CodeGen/CodeGenTargetMachineImpl.h>
#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/TargetFrameLowering.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Support/CommandLine.h>

namespace rivulet::compiler {
namespace {

// Reads the frame of each function once its layout is final.
class FrameReader : public llvm::MachineFunctionPass {
public:
    FrameReader(llvm::StringMap<Frame> &frames, const Target &target)
        : MachineFunctionPass(id), frames_(frames), target_(target) {}

    void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
        usage.setPreservesAll();
        MachineFunctionPass::getAnalysisUsage(usage);
    }

    bool runOnMachineFunction(llvm::MachineFunction &function) override {
        const llvm::MachineFrameInfo &info = function.getFrameInfo();
        Frame &frame = frames_[function.getName()];
        frame.bytes = info.getStackSize() + scalable_bytes(info);
        frame.dynamic = info.hasVarSizedObjects();
        frame.statistics = count_instructions(function);
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
        return llvm::alignTo(bytes, 16) * (target_.vlen ? target_.vlen : longest) / 64;
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
    const Target &target_;
};
char FrameReader::id = 0;

// Loads that the scheduler brings together live longer than vector registers last. lld sets all
// options back, so this one is set each time.
void tune_scheduler() {
    auto option = llvm::cl::getRegisteredOptions().find("misched-cluster");
    if (option != llvm::cl::getRegisteredOptions().end())
        static_cast<llvm::cl::opt<bool> *>(option->second)->setValue(false);
}

} // namespace

Code generate_code(llvm::Module &module, const Target &target, CodeKind kind) {
    tune_scheduler();
    Code code;
    llvm::raw_svector_ostream output(code.bytes);
    llvm::legacy::PassManager passes;
    auto &machine = static_cast<llvm::CodeGenTargetMachineImpl &>(*target.machine);
    // As TargetMachine::addPassesToEmitFile does, with one pass more.
    auto *info = new llvm::MachineModuleInfoWrapperPass(&machine);
    llvm::TargetPassConfig *config = machine.createPassConfig(passes);
    config->setDisableVerify(true);
    passes.add(config);
    passes.add(info);
    if (config->addISelPasses())
        llvm::report_fatal_error("this target has no instruction selection");
    config->addMachinePasses();
    config->setInitialized();
    passes.add(new FrameReader(code.frames, target));
    machine.addAsmPrinter(passes, output, nullptr,
                          kind == CodeKind::object ? llvm::CodeGenFileType::ObjectFile
                                                   : llvm::CodeGenFileType::AssemblyFile,
                          info->getMMI().getContext());
    passes.run(module);
    return code;
}

} // namespace rivulet::compiler
