// SPDX-License-Identifier: Apache-2.0
//
// Why lanes cost more than a contiguous access or a branch that all of them take: remarks on
// accesses and masks, which say what to write instead.
#include <llvm/IR/Operator.h>

#include "compiler/spmd/codegen/row_codegen_internal.h"
#include "compiler/support/instruction_remarks.h"

namespace rivulet::compiler {

using namespace llvm;

// How far a remark searches for the cause of an access's form. A limit of build time with
// --remarks, not measured.
constexpr unsigned remark_search_max_steps = 64; // operands

namespace {

std::string at_line(const Instruction &instruction) {
    const DebugLoc &location = instruction.getDebugLoc();
    return location && location.getLine() ? " (line " + std::to_string(location.getLine()) + ")"
                                          : "";
}

struct Cause {
    std::string what, instead;
};

// Why a value differs from lane to lane in no regular way. The cause is the first of its operands
// that differs like this and whose own operands don't.
Cause cause_of(const Value *value, const StrideAnalysis &strides) {
    for (unsigned step = 0; step < remark_search_max_steps; ++step) {
        auto *instruction = dyn_cast<Instruction>(value);
        if (!instruction)
            break;
        if (isa<LoadInst>(instruction))
            return {"is read from memory" + at_line(*instruction),
                    "sort the elements so that neighbouring work-items use neighbours, or keep "
                    "the table that is looked up in local memory"};
        const Value *next = nullptr;
        if (!isa<PHINode>(instruction))
            for (const Value *operand : instruction->operand_values())
                if (strides.of(operand).kind == Stride::varying)
                    next = operand;
        if (next) {
            value = next;
            continue;
        }
        switch (instruction->getOpcode()) {
        case Instruction::UDiv:
        case Instruction::SDiv:
        case Instruction::URem:
        case Instruction::SRem:
            return {"comes from a division of a work-item's id" + at_line(*instruction),
                    "launch two dimensions, so that no id has to be divided"};
        case Instruction::And:
        case Instruction::Or:
        case Instruction::Xor:
        case Instruction::LShr:
        case Instruction::AShr:
            return {"comes from bits of a work-item's id" + at_line(*instruction),
                    "let the lowest bits of the index be those of get_global_id(0)"};
        case Instruction::Mul:
            return {"comes from a product of ids" + at_line(*instruction),
                    "let the index be get_global_id(0) plus what all work-items share"};
        case Instruction::Select:
        case Instruction::PHI:
            return {"is another one for some work-items, by a condition" + at_line(*instruction),
                    "compute with both and choose afterwards, or handle the border in a kernel "
                    "of its own"};
        case Instruction::FPToSI:
        case Instruction::FPToUI:
            return {"is converted from a floating-point number" + at_line(*instruction),
                    "step through the elements with integers, or read an image with a sampler"};
        default:
            return {"is computed" + at_line(*instruction) + " such that it isn't affine",
                    "let the index be get_global_id(0) plus what all work-items share"};
        }
    }
    return {"isn't affine in get_global_id(0)",
            "let the index be get_global_id(0) plus what all work-items share"};
}

// The index of an address that isn't affine.
const Value *varying_index(const Value *pointer, const StrideAnalysis &strides) {
    while (auto *step = dyn_cast<GEPOperator>(pointer)) {
        for (const Value *index : step->indices())
            if (strides.of(index).kind == Stride::varying || strides.of(index).modulo_2_32)
                return index;
        pointer = step->getPointerOperand();
    }
    return pointer;
}

} // namespace

void InstructionWidener::remark_on_access(Value *access, const Instruction &instruction,
                                          const Value *pointer, const Stride &shape) {
    if (!wants_remarks(instruction.getContext()))
        return;
    const bool is_load = isa<LoadInst>(instruction);
    if (shape.kind == Stride::affine) {
        const std::string step = shape.scale ? "a distance that is known at run time only"
                                             : std::to_string(std::abs(shape.step)) + " bytes";
        attach_remark(access,
                      {CodeRemark::missed, is_load ? "StridedLoad" : "StridedStore",
                       instruction.getDebugLoc(),
                       "neighbouring work-items " + std::string(is_load ? "load" : "store") +
                           " elements that lie " + step + " apart",
                       "let get_global_id(0) be the innermost index, keep fields in arrays of "
                       "their own, or turn a tile around in local memory"});
        return;
    }
    const Cause cause = cause_of(varying_index(pointer, strides_), strides_);
    attach_remark(access,
                  {CodeRemark::missed, is_load ? "Gather" : "Scatter", instruction.getDebugLoc(),
                   "each work-item's address is its own, because the index " + cause.what,
                   cause.instead});
}

void RowCodegen::remark_on_mask(Value *mask, const BranchInst &branch, bool leaves_loop) {
    if (!wants_remarks(branch.getContext()) || rare_.contains(branch.getParent()) ||
        rare_.contains(branch.getSuccessor(0)) || rare_.contains(branch.getSuccessor(1)))
        return;
    const Cause cause = cause_of(branch.getCondition(), strides_);
    auto *condition = dyn_cast<Instruction>(branch.getCondition());
    const DebugLoc location = branch.getDebugLoc() ? branch.getDebugLoc()
                              : condition          ? condition->getDebugLoc()
                                                   : DebugLoc();
    const std::string why =
        cause.what.starts_with("is computed") ? "" : ", because what it compares " + cause.what;
    if (leaves_loop)
        attach_remark(mask, {CodeRemark::missed, "DivergentLoop", location,
                             "work-items leave the loop in different iterations, so that it runs "
                             "under a mask until the last one has left" +
                                 why,
                             "give neighbouring work-items equally long loops: sort by length, or "
                             "let a work-group share one loop"});
    else
        attach_remark(mask, {CodeRemark::missed, "Mask", location,
                             "work-items take different ways, so that both run, one after the "
                             "other, under masks" +
                                 why,
                             "let the condition depend on what a whole row of work-items shares "
                             "(get_group_id, get_global_id(1), arguments), or compute both values "
                             "and choose with select()"});
}

} // namespace rivulet::compiler
