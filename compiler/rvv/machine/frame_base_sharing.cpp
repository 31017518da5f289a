// SPDX-License-Identifier: Apache-2.0
//
// Shares the bases of addresses in large frames. Vector loads and stores take no offset, so each
// spill or reload beyond 2 KiB from sp comes with up to three instructions for its address (LUI,
// ADDI, ADD), which LLVM emits after register allocation and doesn't optimise. This pass derives an
// address from one that a register still holds, by one ADDI or none, or from a base that it puts
// into a free register.
//
// Runs last, on frames that are laid out. It walks through each block, knows which registers hold a
// constant or sp plus a constant, and replaces rows of instructions that compute nothing but such
// an address. It must know exactly which registers are live, so it only changes a row if the result
// is in a register that nothing else needs. It computes the liveness of general-purpose registers
// itself, as a bit mask for each block: where LLVM expands atomic instructions to loops, the
// live-in lists lack registers, and to recompute the lists takes 5 % of the compiler's time in
// programs that spill.
#include <array>

#include <llvm/ADT/Sequence.h>
#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineInstrBundle.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetFrameLowering.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

#include "compiler/rvv/machine/machine_passes.h"

namespace rivulet::compiler {

using namespace llvm;

// Blocks with fewer addresses keep LLVM's code.
constexpr unsigned frame_min_addresses = 4; // addresses of spills in a block

// How far ahead the next use of an address is looked for.
constexpr unsigned frame_lookahead = 64; // addresses

namespace {

constexpr unsigned gprs = 32;
constexpr unsigned sp = 2;
constexpr unsigned never = ~0u;
constexpr int64_t window = 4096; // bytes that ADDI's immediate reaches

using Gprs = uint32_t; // a bit for each

// Finds opcodes by their names, because the backend's tables aren't part of LLVM's interface.
struct Opcodes {
    explicit Opcodes(const TargetInstrInfo &instructions) {
        for (unsigned opcode = 0; opcode < instructions.getNumOpcodes(); ++opcode)
            if (unsigned *known = StringSwitch<unsigned *>(instructions.getName(opcode))
                                      .Case("LUI", &lui)
                                      .Case("ADDI", &addi)
                                      .Case("ADDIW", &addiw)
                                      .Case("ADD", &add)
                                      .Case("SH1ADD", &shadd[0])
                                      .Case("SH2ADD", &shadd[1])
                                      .Case("SH3ADD", &shadd[2])
                                      .Default(nullptr))
                *known = opcode;
    }
    unsigned lui = 0, addi = 0, addiw = 0, add = 0;
    std::array<unsigned, 3> shadd = {};
};

// A register's known value: a constant, or sp plus a number of bytes.
struct Known {
    enum { nothing, constant, address } kind = nothing;
    int64_t value = 0;
};

class FrameBaseSharer {
public:
    FrameBaseSharer(MachineFunction &function, const Opcodes &opcodes)
        : opcodes_(opcodes), instructions_(*function.getSubtarget().getInstrInfo()),
          registers_(*function.getSubtarget().getRegisterInfo()), info_(function.getRegInfo()),
          parts_(registers_.getNumRegs()) {
        for (unsigned id = 1; id < registers_.getNumRegs(); ++id) {
            unsigned gpr;
            StringRef name = registers_.getName(id);
            if (!name.consume_front("X") || name.getAsInteger(10, gpr))
                continue;
            gprs_[gpr] = MCRegister(id);
            for (MCRegAliasIterator alias(id, &registers_, true); alias.isValid(); ++alias)
                parts_[(*alias).id()].push_back(gpr);
            reserved_ |= Gprs(info_.isReserved(gprs_[gpr])) << gpr;
        }
        find_live_ins(function);
    }

    void share_in(MachineBasicBlock &block) {
        find_addresses(block);
        if (addresses_.size() < frame_min_addresses)
            return;
        find_free(block);
        known_ = {};
        is_base_ = {};
        next_ = 0;
        for (MachineInstr &instruction : make_early_inc_range(block)) {
            if (next_ == addresses_.size() || !is_in(instruction, addresses_[next_]))
                step(instruction);
            else if (&instruction == addresses_[next_].instructions.back()) {
                replace(addresses_[next_]);
                ++next_;
            }
        }
        // Addresses stay in registers longer now, so `killed` flags may be wrong.
        for (MachineInstr &instruction : block)
            instruction.clearKillInfo();
    }

private:
    // Consecutive instructions that compute nothing but an address, in one register.
    struct Address {
        SmallVector<MachineInstr *, 3> instructions;
        unsigned gpr;
        int64_t offset;
        unsigned index;                          // of the last one
        MachineInstr *access = nullptr;          // the next instruction, if it is the only user
        std::array<unsigned, gprs> free_until{}; // for free registers: the index of their next use
    };

    static bool is_in(const MachineInstr &instruction, const Address &address) {
        return is_contained(address.instructions, &instruction);
    }

    std::optional<unsigned> gpr_of(const MachineOperand &operand) const {
        const auto *found = operand.isReg() ? find(gprs_, operand.getReg().asMCReg()) : gprs_.end();
        return found == gprs_.end() || !operand.getReg()
                   ? std::nullopt
                   : std::optional(unsigned(found - gprs_.begin()));
    }

    template <class Function> void for_each_gpr(const MachineOperand &operand, Function what) {
        if (operand.isRegMask()) {
            for (unsigned gpr = 1; gpr < gprs; ++gpr)
                if (operand.clobbersPhysReg(gprs_[gpr]))
                    what(gpr);
        } else if (operand.isReg()) {
            for (unsigned gpr : parts_[operand.getReg().id()])
                what(gpr);
        }
    }

    Known operand(const MachineInstr &instruction, unsigned i) const {
        auto gpr = gpr_of(instruction.getOperand(i));
        return !gpr         ? Known{}
               : *gpr == 0  ? Known{Known::constant, 0}
               : *gpr == sp ? Known{Known::address, 0}
                            : known_[*gpr];
    }

    // The value that an instruction leaves in the register that it defines.
    Known result(const MachineInstr &instruction) const {
        const unsigned opcode = instruction.getOpcode();
        if (opcode == opcodes_.lui) {
            const MachineOperand &high = instruction.getOperand(1);
            return high.isImm() ? Known{Known::constant, SignExtend64<32>(high.getImm() << 12)}
                                : Known{};
        }
        if (opcode == opcodes_.addi || opcode == opcodes_.addiw) {
            Known from = operand(instruction, 1);
            const MachineOperand &low = instruction.getOperand(2);
            if (!from.kind || !low.isImm())
                return {};
            from.value += low.getImm();
            if (opcode == opcodes_.addi)
                return from;
            return from.kind == Known::constant
                       ? Known{Known::constant, SignExtend64<32>(from.value)}
                       : Known{};
        }
        const auto *shifted = find(opcodes_.shadd, opcode);
        if (opcode != opcodes_.add && shifted == opcodes_.shadd.end())
            return {};
        Known a = operand(instruction, 1);
        const Known b = operand(instruction, 2);
        if (shifted != opcodes_.shadd.end()) {
            if (a.kind != Known::constant)
                return {};
            a.value *= int64_t(2) << (shifted - opcodes_.shadd.begin());
        }
        if (!a.kind || !b.kind || (a.kind == Known::address && b.kind == Known::address))
            return {};
        return {std::max(a.kind, b.kind), a.value + b.value};
    }

    Gprs mask_of(MCRegister one) const {
        Gprs mask = 0;
        for (unsigned gpr : parts_[one.id()])
            mask |= Gprs(1) << gpr;
        return mask;
    }

    // The registers that the instruction sets or clobbers. One of which it sets a part stays live.
    Gprs set_by(const MachineInstr &instruction) const {
        Gprs mask = 0;
        for (ConstMIBundleOperands operand(instruction); operand.isValid(); ++operand)
            if (operand->isRegMask()) {
                for (unsigned gpr = 1; gpr < gprs; ++gpr)
                    mask |= Gprs(operand->clobbersPhysReg(gprs_[gpr])) << gpr;
            } else if (operand->isReg() && operand->isDef() && operand->getReg()) {
                const MCRegister set = operand->getReg().asMCReg();
                for (unsigned gpr : parts_[set.id()])
                    mask |= Gprs(registers_.isSuperRegisterEq(gprs_[gpr], set)) << gpr;
            }
        return mask;
    }

    Gprs read_by(const MachineInstr &instruction) const {
        Gprs mask = 0;
        for (ConstMIBundleOperands operand(instruction); operand.isValid(); ++operand)
            if (operand->isReg() && operand->readsReg() && !operand->isDebug() && operand->getReg())
                mask |= mask_of(operand->getReg().asMCReg());
        return mask;
    }

    // Callee-saved registers that the function leaves alone, and those that returns restore, hold
    // values of the caller.
    void find_live_ins(MachineFunction &function) {
        const MachineFrameInfo &frame = function.getFrameInfo();
        const BitVector pristine = frame.getPristineRegs(function);
        for (unsigned gpr = 1; gpr < gprs; ++gpr)
            pristine_ |= Gprs(pristine.test(gprs_[gpr].id())) << gpr;
        if (frame.isCalleeSavedInfoValid())
            for (const CalleeSavedInfo &saved : frame.getCalleeSavedInfo())
                if (saved.isRestored())
                    restored_ |= mask_of(saved.getReg());
        struct Effect {
            Gprs read = 0; // before the block sets them
            Gprs set = 0;
        };
        std::vector<Effect> effects(function.getNumBlockIDs());
        for (MachineBasicBlock &block : function) {
            auto &[read, set] = effects[unsigned(block.getNumber())];
            for (MachineInstr &instruction : reverse(block)) {
                const Gprs set_here = set_by(instruction);
                read = (read & ~set_here) | read_by(instruction);
                set |= set_here;
            }
        }
        live_ins_.assign(effects.size(), 0);
        for (bool changed = true; changed;) {
            changed = false;
            for (MachineBasicBlock &block : reverse(function)) {
                const auto number = unsigned(block.getNumber());
                const Gprs live =
                    effects[number].read | (live_out_of(block) & ~effects[number].set);
                changed |= live != live_ins_[number];
                live_ins_[number] = live;
            }
        }
    }

    Gprs live_out_of(const MachineBasicBlock &block) const {
        Gprs live = block.isReturnBlock() ? restored_ : 0;
        for (const MachineBasicBlock *successor : block.successors())
            live |= live_ins_[unsigned(successor->getNumber())];
        return live;
    }

    void step(const MachineInstr &instruction) {
        if (instruction.isDebugOrPseudoInstr())
            return;
        const Known known = result(instruction);
        for (const MachineOperand &operand : instruction.operands())
            if (operand.isRegMask() || (operand.isReg() && operand.isDef()))
                for_each_gpr(operand, [&](unsigned gpr) {
                    known_[gpr] = {};
                    is_base_[gpr] = false;
                    if (gpr == sp)
                        known_ = {};
                });
        if (auto gpr = known.kind ? gpr_of(instruction.getOperand(0)) : std::nullopt;
            gpr && *gpr != sp)
            known_[*gpr] = known;
    }

    void find_addresses(MachineBasicBlock &block) {
        addresses_.clear();
        known_ = {};
        Address row; // of a constant so far, or of an address
        Known known;
        auto end_row = [&] {
            if (known.kind == Known::address)
                addresses_.push_back(row);
            known = {};
            row = {};
        };
        size_ = 0;
        for (MachineInstr &instruction : block) {
            ++size_;
            if (instruction.isDebugOrPseudoInstr())
                continue;
            step(instruction);
            const auto gpr = made_in(instruction);
            auto reads = [&](unsigned one) {
                return instruction.readsRegister(gprs_[one], &registers_);
            };
            const bool goes_on =
                gpr && known.kind && reads(row.gpr) &&
                (*gpr == row.gpr || instruction.killsRegister(gprs_[row.gpr], &registers_));
            if (!goes_on)
                end_row();
            if (!gpr || (!goes_on && reads(*gpr)))
                continue;
            known = known_[*gpr];
            row.instructions.push_back(&instruction);
            row.gpr = *gpr;
            row.offset = known.value;
            row.index = size_;
        }
        end_row();
    }

    // The register that the instruction defines, if its value is known.
    std::optional<unsigned> made_in(const MachineInstr &instruction) const {
        if (instruction.getNumOperands() == 0 || instruction.getFlag(MachineInstr::FrameSetup) ||
            instruction.getFlag(MachineInstr::FrameDestroy) || !instruction.getOperand(0).isReg() ||
            !instruction.getOperand(0).isDef())
            return std::nullopt;
        auto gpr = gpr_of(instruction.getOperand(0));
        return gpr && known_[*gpr].kind ? gpr : std::nullopt;
    }

    void find_free(MachineBasicBlock &block) {
        Gprs live = live_out_of(block) | pristine_;
        const auto is_free = [&](unsigned gpr) { return !((live | reserved_) >> gpr & 1); };
        unsigned index = size_;
        std::array<unsigned, gprs> next; // where it is used or set
        next.fill(index + 1);
        auto address = addresses_.rbegin();
        for (MachineInstr &instruction : reverse(block)) {
            const bool is_next = address != addresses_.rend() && address->index + 1 == index;
            if (is_next && is_access(instruction, gprs_[address->gpr]) && is_free(address->gpr))
                address->access = &instruction;
            if (!instruction.isDebugOrPseudoInstr()) {
                live = (live & ~set_by(instruction)) | read_by(instruction);
                for (const MachineOperand &operand : instruction.operands())
                    for_each_gpr(operand, [&](unsigned gpr) { next[gpr] = index; });
            }
            if (address != addresses_.rend() && address->index == index) {
                for (unsigned gpr = 1; gpr < gprs; ++gpr)
                    if (gpr != address->gpr && is_free(gpr) && next[gpr] > index + 1)
                        address->free_until[gpr] = next[gpr];
                ++address;
            }
            --index;
        }
    }

    // Whether the instruction accesses memory and may take its address from any other register.
    bool is_access(const MachineInstr &instruction, MCRegister address) const {
        return instruction.mayLoadOrStore() && !instruction.isCall() &&
               !instruction.isInlineAsm() && !instruction.modifiesRegister(address, &registers_) &&
               none_of(instruction.operands(), [&](const MachineOperand &operand) {
                   return operand.isReg() && operand.getReg() == address &&
                          (operand.isImplicit() || operand.isTied());
               });
    }

    static bool is_near(int64_t distance) { return isInt<12>(distance); }

    bool holds(unsigned gpr, int64_t offset) const {
        return known_[gpr].kind == Known::address && known_[gpr].value == offset;
    }

    void replace(const Address &address) {
        unsigned gpr = address.gpr;
        if (!holds(gpr, address.offset)) {
            auto other =
                find_if(seq(1u, gprs), [&](unsigned one) { return holds(one, address.offset); });
            if (address.access && other != seq(1u, gprs).end())
                gpr = *other;
            else if (!make(address, gpr = home(address)))
                return;
        }
        if (gpr != address.gpr)
            for (MachineOperand &operand : address.access->operands())
                if (operand.isReg() && operand.getReg() == gprs_[address.gpr])
                    operand.setReg(gprs_[gpr]);
        for (MachineInstr *instruction : address.instructions)
            instruction->eraseFromParent();
    }

    // The register for an address: the one that is free until the address is used again, if that is
    // the case for one whose present value is used later still, else LLVM's choice.
    unsigned home(const Address &address) const {
        const unsigned again = next_use(address.offset, false);
        if (!address.access || again == never)
            return address.gpr;
        const unsigned gpr = least_wanted(address);
        return gpr && again < address.free_until[gpr] && again < next_use(gpr) ? gpr : address.gpr;
    }

    // Computes the address in `gpr` by one instruction. Returns false if LLVM's instructions stay.
    bool make(const Address &address, unsigned gpr) {
        const bool is_simple = address.instructions.size() == 1 && gpr == address.gpr;
        auto base = is_simple ? std::nullopt : find_base(address);
        if (!base) {
            for (const MachineInstr *instruction : address.instructions)
                step(*instruction);
            return false;
        }
        const int64_t from = *base == sp ? 0 : known_[*base].value;
        build(*address.instructions.back(), opcodes_.addi, gpr)
            .addReg(gprs_[*base])
            .addImm(address.offset - from);
        known_[gpr] = {Known::address, address.offset};
        is_base_[gpr] = false;
        return true;
    }

    MachineInstrBuilder build(MachineInstr &before, unsigned opcode, unsigned gpr) const {
        return BuildMI(*before.getParent(), before, before.getDebugLoc(), instructions_.get(opcode),
                       gprs_[gpr]);
    }

    // A register that holds an address within reach of ADDI. Computes one in a free register if a
    // later address will be within its reach, too.
    std::optional<unsigned> find_base(const Address &address) {
        if (is_near(address.offset))
            return sp;
        for (unsigned gpr = 1; gpr < gprs; ++gpr)
            if (known_[gpr].kind == Known::address && is_near(address.offset - known_[gpr].value))
                return gpr;
        const unsigned gpr = least_wanted(address);
        const int64_t middle = (address.offset + window / 2) & -window;
        if (!gpr || middle < 0 || !isInt<32>(middle) ||
            next_use(middle, true) >= address.free_until[gpr])
            return std::nullopt;
        MachineInstr &last = *address.instructions.back();
        build(last, opcodes_.lui, gpr).addImm(middle / window);
        build(last, opcodes_.add, gpr).addReg(gprs_[gpr]).addReg(gprs_[sp]);
        known_[gpr] = {Known::address, middle};
        is_base_[gpr] = true;
        return gpr;
    }

    // The free register whose value has the farthest next use; 0 if none is free.
    unsigned least_wanted(const Address &address) const {
        unsigned best = 0;
        std::pair<unsigned, unsigned> latest;
        for (unsigned gpr = 1; gpr < gprs; ++gpr)
            if (const unsigned until = address.free_until[gpr])
                if (std::pair order(next_use(gpr), until); !best || order > latest) {
                    best = gpr;
                    latest = order;
                }
        return best;
    }

    unsigned next_use(unsigned gpr) const {
        return known_[gpr].kind == Known::address ? next_use(known_[gpr].value, is_base_[gpr])
                                                  : never;
    }

    // The index of the next use of the address, as it is or as a base.
    unsigned next_use(int64_t offset, bool as_base) const {
        for (const Address &address :
             ArrayRef(addresses_).drop_front(next_ + 1).take_front(frame_lookahead))
            if (as_base ? is_near(address.offset - offset) : address.offset == offset)
                return address.index;
        return never;
    }

    const Opcodes &opcodes_;
    const TargetInstrInfo &instructions_;
    const TargetRegisterInfo &registers_;
    const MachineRegisterInfo &info_;
    std::array<MCRegister, gprs> gprs_;
    std::vector<SmallVector<unsigned, 2>> parts_; // GPRs, by register
    Gprs reserved_ = 0, pristine_ = 0, restored_ = 0;
    std::vector<Gprs> live_ins_; // by block

    unsigned size_ = 0;              // of a block
    std::vector<Address> addresses_; // in order
    size_t next_ = 0;
    std::array<Known, gprs> known_;
    std::array<bool, gprs> is_base_{};
};

} // namespace

void FrameBaseSharingPass::run(MachineFunction &function, const MachineLoopInfo &) {
    const MachineFrameInfo &frame = function.getFrameInfo();
    auto objects = seq(frame.getObjectIndexBegin(), frame.getObjectIndexEnd());
    const bool is_small = isInt<12>(frame.getStackSize()) && none_of(objects, [&](int object) {
                              return frame.getStackID(object) == TargetStackID::ScalableVector;
                          });
    if (is_small)
        return;
    static const Opcodes opcodes(*function.getSubtarget().getInstrInfo());
    FrameBaseSharer addresses(function, opcodes);
    for (MachineBasicBlock &block : function)
        addresses.share_in(block);
}

} // namespace rivulet::compiler
