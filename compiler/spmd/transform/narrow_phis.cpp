// SPDX-License-Identifier: Apache-2.0
//
// Narrows 64-bit phis of which only the lower 32 bits are demanded. get_global_id() returns a
// size_t, so a loop that starts at an id counts in 64 bits; a register holds half as many lanes of
// 64 bits, and a vector unit without such elements takes two vectors. InstCombine narrows
// arithmetic, but not through phis: it and EarlyCSE run next if this pass changed anything.
//
// The upper half of a narrowed phi becomes zero. Nothing demands it, but flags of users speak about
// it: a sum that didn't wrap may do so now, so users lose nuw, nsw and their like.
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/DemandedBits.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/support/block_end_values.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(NarrowPhisPass);

namespace {

// Drops the flags of all users, also indirect ones, whose value may change with the phi's upper
// half. A user of which all bits are demanded cannot depend on bits that are not demanded, so the
// walk ends there; DemandedBits has taken its own flags into account.
void forget_wraps(PHINode &phi, DemandedBits &demanded) {
    SmallVector<Instruction *> pending{&phi};
    SmallPtrSet<Instruction *, 8> seen;
    while (!pending.empty())
        for (User *user : pending.pop_back_val()->users()) {
            auto *instruction = cast<Instruction>(user);
            if (isa<TruncInst>(instruction)) // its flags are about the bits that it cuts off
                instruction->dropPoisonGeneratingFlags();
            if (!instruction->getType()->isIntegerTy() ||
                demanded.getDemandedBits(instruction).isAllOnes() ||
                !seen.insert(instruction).second)
                continue;
            instruction->dropPoisonGeneratingAnnotations();
            pending.push_back(instruction);
        }
}

} // namespace

PreservedAnalyses NarrowPhisPass::run(Function &function, FunctionAnalysisManager &) {
    DominatorTree dominators(function);
    AssumptionCache assumptions(function);
    DemandedBits demanded(function, assumptions, dominators);
    SmallVector<PHINode *> found;
    for (BasicBlock &block : function)
        for (PHINode &phi : block.phis())
            if (phi.getType()->isIntegerTy(64) &&
                demanded.getDemandedBits(&phi).getActiveBits() <= 32)
                found.push_back(&phi);
    for (PHINode *phi : found)
        forget_wraps(*phi, demanded);
    for (PHINode *phi : found) {
        IRBuilder<> builder(phi);
        PHINode *narrow =
            builder.CreatePHI(builder.getInt32Ty(), phi->getNumIncomingValues(), phi->getName());
        BlockEndValues narrowed;
        for (auto [value, block] : zip(phi->incoming_values(), phi->blocks()))
            narrow->addIncoming(narrowed.get(block,
                                             [&](IRBuilder<> &at) {
                                                 return at.CreateTrunc(value, narrow->getType());
                                             }),
                                block);
        builder.SetInsertPoint(phi->getParent(), phi->getParent()->getFirstInsertionPt());
        phi->replaceAllUsesWith(builder.CreateZExt(narrow, phi->getType()));
        phi->eraseFromParent();
    }
    return preserved_unless(!found.empty());
}

} // namespace rivulet::compiler
