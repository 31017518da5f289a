// SPDX-License-Identifier: Apache-2.0
//
// Hides from LLVM's loop strength reduction how the addresses of an inner loop are computed, by
// freezing them. For an address before the loop, strength reduction would see a sum and try for
// each term whether to add it inside or outside of the loop, which takes as long as the rest of a
// small kernel's code generation. For an address in the loop that several others are computed from
// by one addition, it would not see that they belong together, and give each a counter of its own.
//
// A freeze of a pointer changes nothing at run time, but alias analysis doesn't look through it, so
// this runs last on the IR. Without it, code is the same or slower, and takes longer to generate.
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include "compiler/rvv/ir/vector_liveness.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(LsrHintsPass);

// Bases of at least so many addresses are hidden from loop strength reduction also where vectors
// are long. sgemm_tiled builds with 427 million x86 instructions instead of 450; instructions of
// the bench stay within 0.2 %.
constexpr unsigned lsr_hidden_min_uses = 4; // addresses of one base

namespace {

// The base of an address, without constants: those go into the instructions.
Use &start_of(GetElementPtrInst &address) {
    Use *start = &address.getOperandUse(GetElementPtrInst::getPointerOperandIndex());
    while (auto *before = dyn_cast<GetElementPtrInst>(start->get())) {
        if (!before->hasAllConstantIndices())
            break;
        start = &before->getOperandUse(GetElementPtrInst::getPointerOperandIndex());
    }
    return *start;
}

using Hidden = DenseMap<const Instruction *, FreezeInst *>;

void hide_starts_before(const Loop &loop, Hidden &hidden) {
    for (BasicBlock *block : loop.blocks())
        for (Instruction &instruction : *block) {
            auto *address = dyn_cast<GetElementPtrInst>(&instruction);
            if (!address || !loop.isLoopInvariant(address->getPointerOperand()))
                continue;
            Use &use = start_of(*address);
            auto *start = dyn_cast<GetElementPtrInst>(use.get());
            if (!start || start->getType()->isVectorTy())
                continue;
            FreezeInst *&opaque = hidden[start];
            if (!opaque)
                opaque = new FreezeInst(start, "", std::next(start->getIterator()));
            use.set(opaque);
        }
}

// Whether the address is at the same distance from its start in every iteration.
bool is_near(const GetElementPtrInst &address, const Loop &loop) {
    return !address.getType()->isVectorTy() &&
           all_of(address.indices(), [&](const Use &index) { return loop.isLoopInvariant(index); });
}

// Whether some vector takes so many registers that the scheduler has hardly any others.
bool has_long_vectors(const Loop &loop) {
    return any_of(loop.blocks(), [](const BasicBlock *block) {
        return any_of(*block, [](const Instruction &instruction) {
            auto *type = dyn_cast<ScalableVectorType>(instruction.getType());
            return type && registers_of(*type) >= largest_lmul;
        });
    });
}

// Hides all starts in the loop but the one with the fewest addresses, from which strength reduction
// also derives the loop's end. Two kinds of start are left to it if few addresses use them. Where
// vectors are long, an address that steps on its own has a shorter live range. And a frozen address
// of a private variable may point anywhere for alias analysis, so that loads would wait for stores
// to it.
void hide_starts_inside(const Loop &loop) {
    const bool long_vectors = has_long_vectors(loop);
    MapVector<GetElementPtrInst *, unsigned> starts;
    for (BasicBlock *block : loop.blocks())
        for (Instruction &instruction : *block) {
            auto *address = dyn_cast<GetElementPtrInst>(&instruction);
            if (!address || !is_near(*address, loop))
                continue;
            auto *start = dyn_cast<GetElementPtrInst>(start_of(*address).get());
            if (!start || !loop.contains(start))
                continue;
            ++starts[start];
        }
    auto fewest =
        min_element(starts, [](const auto &a, const auto &b) { return a.second < b.second; });
    for (auto [start, uses] : starts) {
        const bool may_step = long_vectors || isa<AllocaInst>(getUnderlyingObject(start));
        if ((may_step && uses < lsr_hidden_min_uses) || start == fewest->first)
            continue;
        auto *opaque = new FreezeInst(start, "", std::next(start->getIterator()));
        start->replaceUsesWithIf(opaque, [&](Use &use) {
            auto *user = cast<Instruction>(use.getUser());
            return user != opaque && loop.contains(user) && !isa<PHINode>(user);
        });
    }
}

} // namespace

PreservedAnalyses LsrHintsPass::run(Function &function, FunctionAnalysisManager &) {
    if (function.isDeclaration())
        return PreservedAnalyses::none();
    const DominatorTree tree(function);
    const LoopInfo loops(tree);
    Hidden hidden;
    for (const Loop *loop : loops.getLoopsInPreorder())
        if (loop->isInnermost()) {
            hide_starts_inside(*loop);
            hide_starts_before(*loop, hidden);
        }
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
