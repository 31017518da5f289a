// SPDX-License-Identifier: Apache-2.0
//
// Reloads scalars in loops that use more of them as operands of vector instructions than there are
// FP registers. LLVM's register allocator would keep all of them live through the loop and spill
// those with the longest ranges, with a reload and a store in the middle of the loop for each. Here
// the scalars with the fewest uses are stored once before the loop and loaded right before each
// use.
//
// Takes only loop invariants, of innermost loops. The loads are volatile, or LLVM would hoist them
// out of the loop again. Runs on the third try only (codegen_driver.cpp), together with planned
// spills of vectors.
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/rvv/ir/scalar_operands.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(SpillScalarsPass);

// Scalars that a loop can keep in registers for its vector instructions; LLVM needs the others for
// constants and results. Together with planned spills: Black-Scholes in double -20 % (VLEN 128) and
// -26 % (512) instructions, dct8 -40 and -42 %.
constexpr size_t loop_scalar_registers = 28; // scalar registers

// Scalars with more uses in an iteration stay in registers.
constexpr size_t scalar_max_reloads = 4; // uses in an iteration

namespace {

void reload_at_uses(Value *scalar, ArrayRef<Use *> uses) {
    BasicBlock &entry = cast<Instruction>(uses[0]->getUser())->getFunction()->getEntryBlock();
    auto *slot = IRBuilder<>(&entry, entry.begin()).CreateAlloca(scalar->getType());
    auto *maker = dyn_cast<Instruction>(scalar);
    BasicBlock::iterator insert_point =
        maker ? *maker->getInsertionPointAfterDef() : entry.getFirstNonPHIOrDbgOrAlloca();
    IRBuilder<>(insert_point->getParent(), insert_point).CreateStore(scalar, slot);
    for (Use *use : uses) {
        IRBuilder<> builder(cast<Instruction>(use->getUser()));
        Value *fetched = builder.CreateLoad(scalar->getType(), slot, /*isVolatile=*/true);
        use->set(builder.CreateVectorSplat(
            cast<VectorType>(use->get()->getType())->getElementCount(), fetched));
    }
}

bool spill_scalars(const Loop &loop) {
    MapVector<Value *, SmallVector<Use *, 2>> uses;
    for (BasicBlock *block : loop.blocks())
        for (Instruction &instruction : *block)
            for (Use &use : instruction.operands())
                if (Value *scalar = scalar_of(use))
                    uses[scalar].push_back(&use);
    if (uses.size() <= loop_scalar_registers)
        return false;
    bool any = false;
    size_t left = uses.size() - loop_scalar_registers;
    for (size_t count = 1; left > 0 && count <= scalar_max_reloads; ++count)
        for (auto &[scalar, scalar_uses] : uses)
            if (left > 0 && scalar_uses.size() == count && loop.isLoopInvariant(scalar)) {
                reload_at_uses(scalar, scalar_uses);
                --left;
                any = true;
            }
    return any;
}

} // namespace

PreservedAnalyses SpillScalarsPass::run(Function &function, FunctionAnalysisManager &) {
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    bool any = false;
    for (Loop *loop : loops.getLoopsInPreorder())
        if (loop->isInnermost())
            any |= spill_scalars(*loop);
    return preserved_unless(any);
}

} // namespace rivulet::compiler
