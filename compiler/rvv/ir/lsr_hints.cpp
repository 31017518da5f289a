// SPDX-License-Identifier: Apache-2.0
//
// Hides from loop strength reduction how the addresses of an inner loop begin. LLVM would see a
// sum, and try for each of its parts whether to add it outside or inside of the loop: that takes as
// long as all the rest of a small kernel's code generation. Addresses in the loop that others are
// an addition away from are hidden as well, since it would take each of those for one of its own.
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

// An addition away from its start, in every iteration the same.
bool is_near(const GetElementPtrInst &address, const Loop &loop) {
    return !address.getType()->isVectorTy() &&
           all_of(address.indices(), [&](const Use &index) { return loop.isLoopInvariant(index); });
}

// Vectors of so many registers that the scheduler hardly has others.
bool has_long_vectors(const Loop &loop) {
    return any_of(loop.blocks(), [](const BasicBlock *block) {
        return any_of(*block, [](const Instruction &instruction) {
            auto *type = dyn_cast<ScalableVectorType>(instruction.getType());
            return type && registers_of(*type) >= largest_lmul;
        });
    });
}

// All but one: by that, strength reduction also tells when the loop ends. Where vectors are long,
// those that few addresses are made of step on their own: that shortens their live ranges. So do
// those of a work-item's own variables: what is opaque may be anywhere, and loads wait for stores
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
