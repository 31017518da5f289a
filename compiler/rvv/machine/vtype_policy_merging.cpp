// SPDX-License-Identifier: Apache-2.0
//
// Merges mask policies of vtype. LLVM sets vtype for each instruction that wants another mask
// policy (RISC-V V 1.0, 3.4.3), though an instruction that doesn't care about masked-off lanes may
// as well run under the policy that leaves them undisturbed. So if two vset{i}vli differ only in
// that, both become undisturbed and the second one goes. In a loop of one block, the one in its
// preheader counts as well.
//
// Runs after LLVM's insertion of vsetvli, on allocated registers. It assumes that only vset{i}vli,
// calls and inline assembly change vtype. Without it the code has more of them, most of which stall
// the vector unit.
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

#include "compiler/rvv/machine/machine_passes.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

constexpr int64_t mask_agnostic = 1 << 7; // of vtype: RISC-V V 1.0, 3.4

// Finds instructions by their names, because the backend's tables aren't part of LLVM's interface.
class PolicyMerger {
public:
    explicit PolicyMerger(MachineFunction &function)
        : names_(*function.getSubtarget().getInstrInfo()),
          registers_(*function.getSubtarget().getRegisterInfo()) {}

    // Merges each policy of the block with the one before.
    void merge_in(MachineBasicBlock &block) {
        MachineInstr *last = nullptr;
        for (MachineInstr &instruction : make_early_inc_range(block)) {
            if (instruction.isCall() || instruction.isInlineAsm())
                last = nullptr;
            else if (is_vset(instruction) && !(last && merge(*last, instruction)))
                last = &instruction;
        }
    }

    // Merges the policy that a loop sets in each iteration with the one that its preheader has set.
    void merge_into_preheader(MachineBasicBlock &loop) {
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

    // Erases `later` if it keeps VL and differs in nothing but the mask policy. The undisturbed
    // policy is the zero bit, and right for both.
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

void VtypePolicyMergingPass::run(MachineFunction &function, const MachineLoopInfo &) {
    PolicyMerger policies(function);
    for (MachineBasicBlock &block : function)
        policies.merge_in(block);
    for (MachineBasicBlock &block : function)
        policies.merge_into_preheader(block);
}

} // namespace rivulet::compiler
