// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/live_values.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/spmd/recompute.h"
#include "compiler/spmd/uniformity.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

using Blocks = SmallPtrSet<BasicBlock *, 16>;

// The blocks at whose start the value is live.
Blocks live_in_blocks(Instruction &value) {
    Blocks live;
    SmallVector<BasicBlock *> pending;
    for (Use &use : value.uses()) {
        auto *user = cast<Instruction>(use.getUser());
        BasicBlock *block = user->getParent();
        if (auto *phi = dyn_cast<PHINode>(user))
            block = phi->getIncomingBlock(use);
        else if (block == value.getParent())
            continue; // after it, in the same block
        if (block != value.getParent() && live.insert(block).second)
            pending.push_back(block);
    }
    while (!pending.empty())
        for (BasicBlock *before : predecessors(pending.pop_back_val()))
            if (before != value.getParent() && live.insert(before).second)
                pending.push_back(before);
    return live;
}

} // namespace

void demote_live_values(Function &function, Regions &regions) {
    Uniformity uniformity(function, 3);
    std::vector<LiveValue> found;
    for (Instruction &instruction : instructions(function)) {
        if (isa<AllocaInst>(instruction) || instruction.use_empty())
            continue;
        Blocks live = live_in_blocks(instruction);
        LiveValue value;
        bool any = false;
        for (const Boundary &boundary : regions.boundaries) {
            value.live.push_back(live.contains(boundary.after));
            any |= value.live.back();
        }
        if (!any)
            continue;
        value.value = &instruction;
        value.type = instruction.getType();
        value.kind = is_recomputable(&instruction)     ? LiveValue::recomputed
                     : uniformity.uniform(instruction) ? LiveValue::uniform
                                                       : LiveValue::saved;
        found.push_back(std::move(value));
    }
    // A template at the function's start keeps what recomputing needs: the operands of the original
    // may be demoted too.
    IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    DenseMap<Value *, Value *> templates;
    std::vector<Instruction *> originals;
    for (LiveValue &value : found) {
        originals.push_back(value.value);
        if (value.kind == LiveValue::recomputed)
            value.value = cast<Instruction>(recompute(builder, value.value, templates));
    }
    for (auto [value, original] : zip(found, originals)) {
        value.memory =
            DemoteRegToStack(*original, false, function.getEntryBlock().getFirstInsertionPt());
        regions.values.push_back(std::move(value));
    }
}

void place_saved_values(Regions &regions, const DataLayout &layout) {
    std::vector<LiveValue *> saved;
    for (LiveValue &value : regions.values)
        if (value.kind == LiveValue::saved)
            saved.push_back(&value);
    auto align = [&](const LiveValue *value) {
        return std::max(layout.getABITypeAlign(value->type), value->memory->getAlign());
    };
    llvm::sort(saved, [&](auto *a, auto *b) { return align(a) > align(b); });
    for (LiveValue *value : saved) {
        value->offset = uint32_t(regions.saved_bytes);
        uint64_t bytes = alignTo(layout.getTypeAllocSize(value->type), align(value));
        value->bytes = uint32_t(bytes);
        regions.saved_bytes += bytes;
    }
}

} // namespace rivulet::compiler
