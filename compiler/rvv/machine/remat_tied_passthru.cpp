// SPDX-License-Identifier: Apache-2.0
//
// Rematerialises constants that instructions in loops overwrite. A masked or accumulating
// instruction overwrites its passthru operand; if that is a vector of one constant from before the
// loop, LLVM copies it in each iteration and keeps it in a register group all the time. A vmv.v.i
// instead of the copy takes as many instructions and no register.
//
// Runs in SSA form, right after LLVM's peephole optimiser. The new vmv.v.i has the VL of its user,
// so no vsetvli is added; the user's tail policy must allow any values beyond that.
#include <llvm/ADT/StringExtras.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/TargetParser/RISCVTargetParser.h>

#include "compiler/rvv/machine/machine_passes.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// The last operands of a vector pseudo-instruction with a passthru: VL, the logarithm of the
// element's width, and the policy for lanes beyond VL or outside of the mask.
constexpr unsigned from_end_vl = 3;
constexpr unsigned from_end_width = 2;
constexpr unsigned from_end_policy = 1;

MachineOperand &from_end(MachineInstr &instruction, unsigned distance) {
    return instruction.getOperand(instruction.getNumExplicitOperands() - distance);
}

class TiedPassthruRematerialiser {
public:
    TiedPassthruRematerialiser(MachineFunction &function, const MachineLoopInfo &loops)
        : function_(function), loops_(loops), registers_(function.getRegInfo()),
          names_(*function.getSubtarget().getInstrInfo()) {}

    void run() {
        for (MachineBasicBlock &block : function_)
            if (const MachineLoop *loop = loops_.getLoopFor(&block))
                for (MachineInstr &instruction : make_early_inc_range(block))
                    for (MachineOperand &operand : instruction.explicit_uses())
                        if (operand.isReg() && operand.isTied() && operand.getReg().isVirtual())
                            rematerialise(instruction, operand, *loop);
    }

private:
    StringRef name(const MachineInstr &instruction) const {
        return names_.getName(instruction.getOpcode());
    }

    // Whether `made` is a vmv.v.i of the same LMUL and element width as `user`, whose lanes beyond
    // VL may have any value. A reduction writes one element whatever VL is.
    bool overwrites_all(MachineInstr &user, MachineInstr &made) const {
        StringRef group = name(made);
        return group.consume_front("PseudoVMV_V_I_") && name(user).starts_with("PseudoV") &&
               is_contained(split(name(user), '_'), group) && !name(user).contains("RED") &&
               from_end(user, from_end_policy).isImm() && from_end(user, from_end_width).isImm() &&
               from_end(user, from_end_policy).getImm() == RISCVVType::TAIL_AGNOSTIC &&
               from_end(user, from_end_width).getImm() == from_end(made, from_end_width).getImm();
    }

    // Clones the vmv.v.i that the operand is, or is a copy of, before the user.
    void rematerialise(MachineInstr &user, MachineOperand &overwritten, const MachineLoop &loop) {
        const Register whole = overwritten.getReg();
        MachineInstr *copy = registers_.getUniqueVRegDef(whole);
        MachineInstr *made = copy;
        if (copy && copy->isFullCopy() && copy->getOperand(1).getReg().isVirtual())
            made = registers_.getUniqueVRegDef(copy->getOperand(1).getReg());
        if (!made || loop.contains(made) || !overwrites_all(user, *made) ||
            made->getOperand(1).getReg().isValid() || overwritten.getSubReg())
            return;
        MachineInstr *clone = function_.CloneMachineInstr(made);
        user.getParent()->insert(user.getIterator(), clone);
        clone->getOperand(0).setReg(
            registers_.createVirtualRegister(registers_.getRegClass(whole)));
        const MachineOperand &length = from_end(user, from_end_vl);
        MachineOperand &own = from_end(*clone, from_end_vl);
        if (length.isImm())
            own.ChangeToImmediate(length.getImm());
        else
            own.ChangeToRegister(length.getReg(), false);
        overwritten.setReg(clone->getOperand(0).getReg());
        overwritten.setIsKill(false);
        erase_unused(*copy);
        if (made != copy)
            erase_unused(*made);
    }

    void erase_unused(MachineInstr &instruction) {
        const Register result = instruction.getOperand(0).getReg();
        if (!registers_.use_nodbg_empty(result))
            return;
        registers_.markUsesInDebugValueAsUndef(result);
        instruction.eraseFromParent();
    }

    MachineFunction &function_;
    const MachineLoopInfo &loops_;
    MachineRegisterInfo &registers_;
    const TargetInstrInfo &names_;
};

} // namespace

void RematTiedPassthruPass::run(MachineFunction &function, const MachineLoopInfo &loops) {
    TiedPassthruRematerialiser(function, loops).run();
}

} // namespace rivulet::compiler
