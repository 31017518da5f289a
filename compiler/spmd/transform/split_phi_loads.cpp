// SPDX-License-Identifier: Apache-2.0
//
// Loads from each of the buffers that a merge of pointers comes from, and merges what was loaded:
//
//     %p = phi ptr [ %head, %before ], [ %next, %body ]      %n = phi i32 [ load %head, %before ],
//     %n = load i32, ptr %p                              →                [ load %next, %body ]
//
// as in `for (n = heads[x]; n >= 0; n = next[n])`. InstCombine makes one load of two, which is
// right for scalars. For lanes, two loads with known buffers are accesses side by side, or by
// offsets of 32 bits. One load of merged pointers is a gather by whole addresses, which take twice
// the registers.
//
// The loads are at the ends of blocks that only lead to the merge, and nothing between them and the
// one load writes to memory or may end before it. So they are executed where it was, and load the
// same.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/spmd/analysis/uniformity.h"
#include "compiler/support/block_end_values.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(SplitPhiLoadsPass);

namespace {

// The only load by a merged pointer, if it can be split.
LoadInst *only_load(PHINode &pointer) {
    auto *load = pointer.hasOneUse() ? dyn_cast<LoadInst>(pointer.user_back()) : nullptr;
    if (!load || !load->isSimple() || load->getParent() != pointer.getParent() ||
        any_of(pointer.blocks(),
               [](const BasicBlock *from) { return !from->getSingleSuccessor(); }))
        return nullptr;
    for (const Instruction &before : *load->getParent()) {
        if (&before == load)
            break;
        if (before.mayWriteToMemory() || !isGuaranteedToTransferExecutionToSuccessor(&before))
            return nullptr;
    }
    return load;
}

bool is_of_several_buffers(const PHINode &pointer) {
    const Value *common = nullptr;
    for (const Value *value : pointer.incoming_values()) {
        const Value *buffer = getUnderlyingObject(value);
        if (!isa<Argument>(buffer))
            return false;
        if (common && common != buffer)
            return true;
        common = buffer;
    }
    return false;
}

void split(PHINode &pointer, LoadInst &load) {
    auto *loaded =
        PHINode::Create(load.getType(), pointer.getNumIncomingValues(), "", pointer.getIterator());
    loaded->takeName(&load);
    loaded->setDebugLoc(load.getDebugLoc());
    BlockEndValues at_ends;
    for (auto [value, from] : zip(pointer.incoming_values(), pointer.blocks()))
        loaded->addIncoming(at_ends.get(from,
                                        [&](IRBuilder<> &end) {
                                            Instruction *own = load.clone();
                                            own->setOperand(0, value);
                                            return end.Insert(own);
                                        }),
                            from);
    load.replaceAllUsesWith(loaded);
    load.eraseFromParent();
    pointer.eraseFromParent();
}

} // namespace

PreservedAnalyses SplitPhiLoadsPass::run(Function &function, FunctionAnalysisManager &) {
    SmallVector<std::pair<PHINode *, LoadInst *>> found;
    for (Instruction &instruction : instructions(function))
        if (auto *phi = dyn_cast<PHINode>(&instruction); phi && phi->getType()->isPointerTy())
            if (LoadInst *load = only_load(*phi); load && is_of_several_buffers(*phi))
                found.emplace_back(phi, load);
    if (found.empty())
        return PreservedAnalyses::all();
    const Uniformity uniformity(function, 1);
    erase_if(found, [&](const auto &pair) { return uniformity.uniform(*pair.first); });
    for (auto [pointer, load] : found)
        split(*pointer, *load);
    return preserved_unless(!found.empty());
}

} // namespace rivulet::compiler
