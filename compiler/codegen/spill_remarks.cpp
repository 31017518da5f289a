// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/spill_remarks.h"

#include <map>

#include <llvm/CodeGen/MachineBasicBlock.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineMemOperand.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/codegen/asm_statistics.h"
#include "compiler/support/instruction_remarks.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

DebugLoc location_of(const Function &function) {
    DISubprogram *program = function.getSubprogram();
    if (!program)
        return {};
    return DILocation::get(program->getContext(), program->getLine(), 0, program);
}

// LLVM gives no location to code inserted by the register allocator. A store gets the location of
// the instruction before it, which defined the value, and a reload that of the one after it, which
// uses it. If a block has no such instruction, the function's location is used.
DebugLoc location_of(const MachineInstr &spill) {
    const MachineBasicBlock &block = *spill.getParent();
    const auto has_location = [](const MachineInstr &instruction) {
        return instruction.getDebugLoc() && instruction.getDebugLoc().getLine();
    };
    if (has_location(spill))
        return spill.getDebugLoc();
    const auto before =
        std::find_if(std::next(spill.getReverseIterator()), block.instr_rend(), has_location);
    const auto behind =
        std::find_if(std::next(spill.getIterator()), block.instr_end(), has_location);
    const bool prefers_before = spill.mayStore();
    if (before != block.instr_rend() && (prefers_before || behind == block.instr_end()))
        return before->getDebugLoc();
    if (behind != block.instr_end())
        return behind->getDebugLoc();
    return location_of(block.getParent()->getFunction());
}

// LLVM's names of RISC-V instructions tell vectors from scalars. Other machines, which the loopback
// driver runs on, have scalars in vector registers (VMOVSD): a vector has more bytes than a double.
bool is_vector(const MachineInstr &instruction) {
    if (!instruction.getMF()->getTarget().getTargetTriple().isRISCV())
        return any_of(instruction.memoperands(), [](const MachineMemOperand *operand) {
            const LocationSize size = operand->getSize();
            return size.hasValue() && size.getValue().getKnownMinValue() > sizeof(double);
        });
    StringRef name =
        instruction.getMF()->getSubtarget().getInstrInfo()->getName(instruction.getOpcode());
    name.consume_front("Pseudo");
    return name.starts_with("V");
}

std::string count_of(unsigned number, const char *what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

std::string traffic_of(const SpillingLine &line) {
    std::string text;
    if (line.stores)
        text = count_of(line.stores, "store") + " to the stack";
    if (line.reloads)
        text += (text.empty() ? "" : " and ") + count_of(line.reloads, "load") + " from the stack";
    return text;
}

} // namespace

std::vector<SpillingLine> find_spilling_lines(const MachineFunction &function) {
    std::map<std::tuple<bool, std::string, unsigned>, SpillingLine> lines;
    for (const MachineBasicBlock &block : function)
        for (const MachineInstr &instruction : block) {
            if (instruction.isMetaInstruction() || !is_spill(instruction))
                continue;
            const DebugLoc location = location_of(instruction);
            const bool vector = is_vector(instruction);
            SpillingLine &line = lines[{vector, location ? location->getFilename().str() : "",
                                        location ? location.getLine() : 0}];
            if (!line.location)
                line.location = location;
            line.vector = vector;
            ++(instruction.mayStore() ? line.stores : line.reloads);
        }
    std::vector<SpillingLine> found;
    for (auto &[key, line] : lines)
        found.push_back(line);
    return found;
}

void remark_on_spills(Function &kernel, const std::vector<SpillingLine> &lines) {
    SpillingLine scalars;
    for (const SpillingLine &line : lines) {
        if (line.vector) {
            emit_remark(kernel,
                        {CodeRemark::missed, "Spill", line.location,
                         "more vectors are live here than registers hold: " + traffic_of(line),
                         "compute values where they are used instead of keeping them, take "
                         "fewer elements of a private array or a vector type at a time, use "
                         "narrower types, or split the kernel"});
        } else {
            scalars.stores += line.stores;
            scalars.reloads += line.reloads;
        }
    }
    if (scalars.stores || scalars.reloads)
        emit_remark(kernel,
                    {CodeRemark::analysis, "ScalarSpill", location_of(kernel),
                     "more scalars, such as arguments and addresses that all work-items share, are "
                     "live at once than registers hold: " +
                         traffic_of(scalars),
                     "use fewer arguments in one loop, or compute addresses from one base"});
}

} // namespace rivulet::compiler
