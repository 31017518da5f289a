// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/region_boundaries.h"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/spmd/analysis/uniformity.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// Each boundary's call alone in its block, before an unconditional branch.
void separate_boundaries(Function &function, Regions &regions) {
    SmallVector<std::pair<CallInst *, Builtin>> calls;
    for (Instruction &instruction : instructions(function))
        if (auto *call = dyn_cast<CallInst>(&instruction))
            if (auto builtin = builtin_of(*call); builtin && is_boundary(*builtin))
                calls.emplace_back(call, *builtin);
    for (auto [call, builtin] : calls) {
        Boundary boundary;
        boundary.call = call;
        boundary.builtin = builtin;
        boundary.operation = operation_of(*call);
        boundary.is_signed = !StringRef("htjm").contains(
            mangled_parameters(call->getCalledFunction()->getName()).take_front());
        if (builtin == Builtin::wait_events) // which events doesn't matter
            call->setArgOperand(1, PoisonValue::get(call->getArgOperand(1)->getType()));
        SplitBlock(call->getParent(), call);
        boundary.after = SplitBlock(call->getParent(), call->getNextNode());
        regions.boundaries.push_back(boundary);
    }
}

// The operands and results of collectives go through variables that live over their boundary.
class Collectives {
public:
    Collectives(Function &function, Regions &regions) : function_(function), regions_(regions) {}

    void demote() {
        for (auto [i, boundary] : enumerate(regions_.boundaries))
            if (is_collective(boundary.builtin))
                demote(boundary, i);
    }

private:
    int variable(LiveValue::Kind kind, Type *type, size_t boundary) {
        IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
        LiveValue value;
        value.kind = kind;
        value.type = type;
        value.memory = builder.CreateAlloca(type);
        value.live.assign(regions_.boundaries.size(), false);
        value.live[boundary] = true;
        regions_.values.push_back(std::move(value));
        return int(regions_.values.size()) - 1;
    }

    void demote(Boundary &boundary, size_t number) {
        CallInst &call = *boundary.call;
        IRBuilder<> builder(&call);
        Value *operand = call.getArgOperand(0);
        if (is_logical(boundary.operation))
            operand = builder.CreateZExt(builder.CreateIsNotNull(operand), call.getType());
        boundary.operand = variable(LiveValue::saved, operand->getType(), number);
        builder.CreateStore(operand, regions_.values[boundary.operand].memory);
        if (boundary.builtin == Builtin::broadcast) {
            boundary.index = variable(LiveValue::uniform, builder.getInt64Ty(), number);
            builder.CreateStore(broadcast_index(builder, call),
                                regions_.values[boundary.index].memory);
        }
        bool scan = boundary.builtin >= Builtin::scan_exclusive;
        boundary.result =
            scan ? boundary.operand : variable(LiveValue::uniform, call.getType(), number);
        builder.SetInsertPoint(&*boundary.after->getFirstInsertionPt());
        call.replaceAllUsesWith(
            builder.CreateLoad(call.getType(), regions_.values[boundary.result].memory));
    }

    Value *broadcast_index(IRBuilder<> &builder, CallInst &call) {
        Value *index = builder.getInt64(0);
        for (unsigned d = call.arg_size() - 1; d-- > 0;) {
            Value *size = builder.CreateZExt(function_.getArg(parameter::local_size + d),
                                             builder.getInt64Ty(), "", true);
            index = builder.CreateAdd(
                builder.CreateMul(index, size),
                builder.CreateZExt(call.getArgOperand(d + 1), builder.getInt64Ty()));
        }
        return index;
    }

    Function &function_;
    Regions &regions_;
};

} // namespace

void find_boundaries(Function &work_item, Regions &regions) {
    separate_boundaries(work_item, regions);
    Collectives(work_item, regions).demote();
}

Ends find_ends(const Regions &regions) {
    Ends ends;
    for (auto [i, boundary] : enumerate(regions.boundaries))
        ends[boundary.call->getParent()] = unsigned(i);
    return ends;
}

SetVector<BasicBlock *> reached(BasicBlock *start, const Ends &ends) {
    SetVector<BasicBlock *> blocks;
    blocks.insert(start);
    for (size_t i = 0; i < blocks.size(); ++i)
        if (!ends.contains(blocks[i]))
            for (BasicBlock *next : successors(blocks[i]))
                blocks.insert(next);
    return blocks;
}

bool may_return_early(Function &work_item, const Regions &regions) {
    Uniformity uniformity(work_item, 3);
    PostDominatorTree postdominators(work_item);
    for (BasicBlock &block : work_item) {
        if (uniformity.uniform_branch(block))
            continue;
        auto *node = postdominators.getNode(&block);
        BasicBlock *join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
        SetVector<BasicBlock *> between;
        between.insert(&block);
        for (size_t i = 0; i < between.size(); ++i)
            for (BasicBlock *next : successors(between[i]))
                if (next != join)
                    between.insert(next);
        for (const Boundary &boundary : regions.boundaries)
            if (between.contains(boundary.call->getParent()))
                return true;
    }
    return false;
}

} // namespace rivulet::compiler
