// SPDX-License-Identifier: Apache-2.0
#include "compiler/rvv/machine/vtype_policy_merging.h"

#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

constexpr int64_t mask_agnostic = 1 << 7; // of vtype: RISC-V V 1.0, 3.4

// By LLVM's names: the backend's own tables are not part of LLVM's interface.
class Policies {
public:
    explicit Policies(MachineFunction &function)
        : names_(*function.getSubtarget().getInstrInfo()),
          registers_(*function.getSubtarget().getRegisterInfo()) {}

    void share_in(MachineBasicBlock &block) {
        MachineInstr *last = nullptr;
        for (MachineInstr &instruction : make_early_inc_range(block)) {
            if (instruction.isCall() || instruction.isInlineAsm())
                last = nullptr;
            else if (is_vset(instruction) && !(last && merge(*last, instruction)))
                last = &instruction;
        }
    }

    // Merges the policy that a loop sets in each iteration with the one that its preheader has set.
    void share_before(MachineBasicBlock &loop) {
        if (!loop.isSuccessor(&loop) || loop.pred_size() != 2)
            return;
        MachineBasicBlock &before = **find_if(
            loop.predecessors(), [&](const MachineBasicBlock *from) { return from != &loop; });
        MachineInstr *inside = only_vset(loop);
        MachineInstr *last = last_vset(before);
        if (inside && last)
            merge(*last, *inside);
    }

private:
    bool is_vset(const MachineInstr &instruction) const {
        StringRef name = names_.getName(instruction.getOpcode());
        name.consume_front("Pseudo");
        return name.starts_with("VSETVL") || name.starts_with("VSETIVL");
    }

    bool is_zero(const MachineOperand &operand) const {
        return operand.isReg() && StringRef(registers_.getName(operand.getReg())) == "X0";
    }

    // The later one goes, if it sets nothing else.
    bool merge(MachineInstr &last, MachineInstr &later) const {
        if (!last.getOperand(2).isImm() || !later.getOperand(2).isImm() ||
            !is_zero(later.getOperand(0)) || !is_zero(later.getOperand(1)))
            return false;
        const int64_t vtype = last.getOperand(2).getImm();
        const int64_t other = later.getOperand(2).getImm();
        if ((vtype | mask_agnostic) != (other | mask_agnostic))
            return false;
        last.getOperand(2).setImm(vtype & other);
        later.eraseFromParent();
        return true;
    }

    MachineInstr *only_vset(MachineBasicBlock &block) const {
        MachineInstr *found = nullptr;
        for (MachineInstr &instruction : block) {
            const bool vset = is_vset(instruction);
            if (instruction.isCall() || instruction.isInlineAsm() || (vset && found))
                return nullptr;
            found = vset ? &instruction : found;
        }
        return found;
    }

    MachineInstr *last_vset(MachineBasicBlock &block) const {
        for (MachineInstr &instruction : reverse(block)) {
            if (instruction.isCall() || instruction.isInlineAsm())
                return nullptr;
            if (is_vset(instruction))
                return &instruction;
        }
        return nullptr;
    }

    const TargetInstrInfo &names_;
    const TargetRegisterInfo &registers_;
};

} // namespace

void merge_vtype_policies(MachineFunction &function) {
    if (!function.getTarget().getTargetTriple().isRISCV())
        return;
    Policies policies(function);
    for (MachineBasicBlock &block : function)
        policies.share_in(block);
    for (MachineBasicBlock &block : function)
        policies.share_before(block);
}

} // namespace rivulet::compiler
