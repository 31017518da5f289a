// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/in_order_cycles.h"

#include <algorithm>
#include <string>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineInstr.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCSchedule.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/TargetParser/Triple.h>

namespace rivulet::compiler {

using namespace llvm;

// The state of the core while code runs.
class InOrderCycles::Run {
public:
    Run(const InOrderCycles &cycles, const TargetRegisterInfo &registers)
        : cycles_(cycles), registers_(registers) {}

    void issue(const MachineInstr &instruction) {
        const Timing &timing = cycles_.timing(instruction.getOpcode());
        unsigned at = now_;
        for (const MachineOperand &operand : instruction.operands())
            if (operand.isReg() && operand.readsReg() && operand.getReg().isPhysical())
                for (MCRegUnit unit : registers_.regunits(operand.getReg()))
                    at = std::max(at, ready_.lookup(unsigned(unit)));
        for (const Use &use : timing.uses)
            if (const unsigned free = first_free(use); free > use.begin)
                at = std::max(at, free - use.begin);
        if (completed_ > timing.latency)
            at = std::max(at, completed_ - timing.latency);
        for (const Use &use : timing.uses)
            first_free(use) = at + use.end;
        completed_ = at + timing.latency;
        for (const MachineOperand &operand : instruction.all_defs())
            if (operand.getReg().isPhysical())
                for (MCRegUnit unit : registers_.regunits(operand.getReg()))
                    ready_[unsigned(unit)] = completed_;
        issued_ = at > now_ ? 1 : issued_ + 1;
        now_ = at;
        if (issued_ >= std::max(1u, cycles_.core_->getSchedModel().IssueWidth)) {
            ++now_;
            issued_ = 0;
        }
    }

    unsigned now() const { return now_; }

private:
    // The cycle from which on one of the units is free.
    unsigned &first_free(const Use &use) {
        auto &free = free_[use.unit];
        const MCProcResourceDesc &unit = *cycles_.core_->getSchedModel().getProcResource(use.unit);
        free.resize(std::max(1u, unit.NumUnits), 0);
        return *std::ranges::min_element(free);
    }

    const InOrderCycles &cycles_;
    const TargetRegisterInfo &registers_;
    unsigned now_ = 0;                   // the cycle in which the next instruction may be issued
    unsigned issued_ = 0;                // in that cycle
    unsigned completed_ = 0;             // the cycle in which all results are there
    DenseMap<unsigned, unsigned> ready_; // by register unit
    DenseMap<unsigned, SmallVector<unsigned, 2>> free_; // by unit of the core
};

InOrderCycles::InOrderCycles(StringRef core) {
    std::string error;
    const Triple triple("riscv64");
    const llvm::Target &target = *TargetRegistry::lookupTarget(triple, error);
    instructions_.reset(target.createMCInstrInfo());
    core_.reset(target.createMCSubtargetInfo(triple, core, ""));
}

const InOrderCycles &InOrderCycles::on(StringRef core) {
    static StringMap<const InOrderCycles *> all; // few, and never dropped
    const InOrderCycles *&cycles = all[core];
    if (!cycles)
        cycles = new InOrderCycles(core);
    return *cycles;
}

unsigned InOrderCycles::of(const MachineBasicBlock &block, bool is_loop) const {
    Run run(*this, *block.getParent()->getSubtarget().getRegisterInfo());
    const auto run_once = [&] {
        for (const MachineInstr &instruction : block)
            if (!instruction.isMetaInstruction() && !instruction.isInlineAsm())
                run.issue(instruction);
        return run.now();
    };
    const unsigned first = run_once();
    return is_loop ? run_once() - first : first;
}

double InOrderCycles::occupancy(const MachineInstr &instruction) const {
    return timing(instruction.getOpcode()).occupancy;
}

const InOrderCycles::Timing &InOrderCycles::timing(unsigned opcode) const {
    const auto [found, is_new] = timings_.try_emplace(opcode);
    Timing &timing = found->second;
    if (!is_new)
        return timing;
    const MCSchedModel &model = core_->getSchedModel();
    const MCInstrDesc &description = instructions_->get(opcode);
    // A variant depends on registers, such as a stride in x0; these are any but that one.
    MCInst instruction;
    instruction.setOpcode(opcode);
    for (unsigned i = 0; i < description.getNumOperands(); ++i)
        instruction.addOperand(MCOperand::createReg(1));
    unsigned number = description.getSchedClass();
    while (number && model.getSchedClassDesc(number)->isVariant())
        number = core_->resolveVariantSchedClass(number, &instruction, instructions_.get(),
                                                 model.getProcessorID());
    const MCSchedClassDesc &kind = *model.getSchedClassDesc(number);
    if (!number || !kind.isValid())
        return timing;
    timing.latency = unsigned(MCSchedModel::computeInstrLatency(*core_, kind));
    timing.occupancy = MCSchedModel::getReciprocalThroughput(*core_, kind);
    for (const MCWriteProcResEntry &use :
         make_range(core_->getWriteProcResBegin(&kind), core_->getWriteProcResEnd(&kind)))
        timing.uses.push_back({use.ProcResourceIdx, use.AcquireAtCycle, use.ReleaseAtCycle});
    return timing;
}

} // namespace rivulet::compiler
