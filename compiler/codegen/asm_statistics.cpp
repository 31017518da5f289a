// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/asm_statistics.h"

#include <cmath>

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineLoopInfo.h>
#include <llvm/CodeGen/MachineMemOperand.h>
#include <llvm/CodeGen/PseudoSourceValue.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/analysis/block_hotness.h"
#include "compiler/analysis/limits.h"
#include "compiler/analysis/tuned_cores.h"
#include "compiler/codegen/in_order_cycles.h"
#include "compiler/rvv/ir/spill_rewriter.h"

namespace rivulet::compiler {
namespace {

using llvm::StringRef;

// LLVM's names of vector instructions tell what they are: PseudoVLUXEI32_V_M4_M4_MASK. The
// backend's own tables are not part of LLVM's interface.
unsigned lmul_eighths(StringRef name) {
    unsigned most = 0;
    for (StringRef word : llvm::split(name, '_'))
        if (unsigned number; word.consume_front("MF") && !word.getAsInteger(10, number))
            most = std::max(most, 8 / number);
        else if (word.consume_front("M") && !word.getAsInteger(10, number))
            most = std::max(most, 8 * number);
    return most;
}

// A block that calls a cold function hardly ever runs.
bool calls_cold(const llvm::MachineBasicBlock &block) {
    return llvm::any_of(block, [](const llvm::MachineInstr &instruction) {
        return instruction.isCall() &&
               llvm::any_of(instruction.operands(), [](const llvm::MachineOperand &operand) {
                   auto *function = operand.isGlobal()
                                        ? llvm::dyn_cast<llvm::Function>(operand.getGlobal())
                                        : nullptr;
                   return function && is_cold(*function);
               });
    });
}

// Cold blocks, and blocks that every path reaches through an edge that is hardly ever taken.
using RareMachineBlocks = llvm::SmallPtrSet<const llvm::MachineBasicBlock *, 8>;
RareMachineBlocks rare_blocks(const llvm::MachineFunction &function) {
    const llvm::BranchProbability hardly_ever(1, rare_edge_ratio);
    RareMachineBlocks rare;
    for (const llvm::MachineBasicBlock *block : llvm::ReversePostOrderTraversal(&function))
        if (calls_cold(*block) ||
            (!block->pred_empty() &&
             llvm::all_of(block->predecessors(), [&](const llvm::MachineBasicBlock *from) {
                 return rare.contains(from) ||
                        from->getSuccProbability(llvm::find(from->successors(), block)) <
                            hardly_ever;
             })))
            rare.insert(block);
    return rare;
}

void count_vector(Statistics &statistics, StringRef name, bool spill) {
    ++statistics.vector;
    statistics.vector_spills += spill;
    statistics.masked += name.contains("_MASK");
    statistics.lmul_eighths = std::max(statistics.lmul_eighths, lmul_eighths(name));
    auto is_access = [&](StringRef letters) {
        return name.starts_with(("VL" + letters).str()) || name.starts_with(("VS" + letters).str());
    };
    statistics.indexed += is_access("UX") || is_access("OX");
    statistics.strided += is_access("SE8") || is_access("SE16") || is_access("SE32") ||
                          is_access("SE64") || is_access("SSEG");
    statistics.segmented += name.contains("SEG");
}

} // namespace

bool is_spill(const llvm::MachineInstr &instruction) {
    if (instruction.getFlag(llvm::MachineInstr::FrameSetup) ||
        instruction.getFlag(llvm::MachineInstr::FrameDestroy))
        return false; // saves its caller's registers
    const llvm::MachineFrameInfo &frame = instruction.getMF()->getFrameInfo();
    return llvm::any_of(instruction.memoperands(), [&](const llvm::MachineMemOperand *operand) {
        if (auto *slot = llvm::dyn_cast_or_null<llvm::AllocaInst>(operand->getValue());
            slot && slot->hasMetadata(spill_slot))
            return true;
        auto *slot =
            llvm::dyn_cast_or_null<llvm::FixedStackPseudoSourceValue>(operand->getPseudoValue());
        return slot && slot->getFrameIndex() >= 0 &&
               frame.isSpillSlotObjectIndex(slot->getFrameIndex());
    });
}

Statistics count_instructions(const llvm::MachineFunction &function,
                              const llvm::MachineLoopInfo &loops) {
    Statistics statistics;
    const llvm::TargetInstrInfo &names = *function.getSubtarget().getInstrInfo();
    const bool is_riscv = function.getTarget().getTargetTriple().isRISCV();
    const RareMachineBlocks rare = rare_blocks(function);
    const StringRef core = function.getFunction().getFnAttribute(core_attribute).getValueAsString();
    const InOrderCycles *cycles = core.empty() ? nullptr : &InOrderCycles::on(core);
    for (const llvm::MachineBasicBlock &block : function) {
        const double weight =
            rare.contains(&block) ? 0 : std::pow(assumed_trip_count, loops.getLoopDepth(&block));
        if (cycles)
            statistics.cost += weight * cycles->of(block, loops.getLoopDepth(&block) > 0);
        for (const llvm::MachineInstr &instruction : block) {
            if (instruction.isMetaInstruction() || instruction.isInlineAsm())
                continue;
            ++statistics.instructions;
            statistics.cost += cycles ? 0 : weight;
            StringRef name = names.getName(instruction.getOpcode());
            name.consume_front("Pseudo");
            const bool spill = is_spill(instruction);
            if (is_riscv && name.starts_with("VSET")) {
                ++statistics.configurations;
            } else if (is_riscv && name.starts_with("V")) {
                count_vector(statistics, name, spill);
                if (spill && weight > 1)
                    statistics.spill_cost += weight * (cycles ? cycles->occupancy(instruction) : 1);
            } else {
                statistics.scalar_spills += spill;
            }
        }
    }
    return statistics;
}

std::string to_text(const Statistics &statistics) {
    std::string text = llvm::formatv("{} instructions, {} scalar spills", statistics.instructions,
                                     statistics.scalar_spills)
                           .str();
    if (statistics.vector == 0)
        return text;
    const unsigned eighths = statistics.lmul_eighths;
    std::string lmul = eighths >= 8 ? std::to_string(eighths / 8)
                                    : "1/" + std::to_string(8 / std::max(eighths, 1u));
    return text + llvm::formatv("; {} vector, LMUL up to {}, {} vsetvl, {} masked, {} indexed, "
                                "{} strided, {} segmented, {} vector spills",
                                statistics.vector, lmul, statistics.configurations,
                                statistics.masked, statistics.indexed, statistics.strided,
                                statistics.segmented, statistics.vector_spills)
                      .str();
}

} // namespace rivulet::compiler
