// SPDX-License-Identifier: Apache-2.0
//
// Computes the addresses of gathers and scatters next to them, from a scalar base and a vector of
// offsets, if they are computed in another block. Instruction selection sees one block at a time:
// there it makes one instruction of base, extension and access, with offsets of 32 bits. Addresses
// that loop-invariant code motion has moved before a loop are vectors of 64 bits otherwise, which
// take twice the registers of 32-bit lanes and are spilled in small loops.
//
// Runs before the passes that count registers.
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(GatherAddressSinkingPass);

namespace {

// The operand with the addresses of a gather or scatter; null for other instructions.
Use *addresses_of(Instruction &instruction) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call)
        return nullptr;
    switch (call->getIntrinsicID()) {
    case Intrinsic::vp_gather:
    case Intrinsic::masked_gather:
        return &call->getArgOperandUse(0);
    case Intrinsic::vp_scatter:
    case Intrinsic::masked_scatter:
        return &call->getArgOperandUse(1);
    default:
        return nullptr;
    }
}

// Replaces an operand from another block by a copy right before its user.
Instruction *sink(Use &operand) {
    auto *user = cast<Instruction>(operand.getUser());
    auto *original = cast<Instruction>(operand.get());
    if (original->getParent() == user->getParent())
        return original;
    Instruction *copy = original->clone();
    copy->setName(original->getName());
    copy->insertBefore(user->getIterator());
    operand.set(copy);
    return copy;
}

} // namespace

PreservedAnalyses GatherAddressSinkingPass::run(Function &function, FunctionAnalysisManager &) {
    SmallVector<WeakTrackingVH> replaced;
    for (BasicBlock &block : function)
        for (Instruction &instruction : block) {
            Use *addresses = addresses_of(instruction);
            auto *sum = addresses ? dyn_cast<GetElementPtrInst>(addresses->get()) : nullptr;
            if (!sum || sum->getNumIndices() != 1 || sum->getPointerOperandType()->isVectorTy())
                continue;
            auto *offsets = dyn_cast<ZExtInst>(sum->getOperand(1));
            if (sum->getParent() == &block && (!offsets || offsets->getParent() == &block))
                continue;
            replaced.emplace_back(sum);
            sum = cast<GetElementPtrInst>(sink(*addresses));
            if (offsets)
                sink(sum->getOperandUse(1));
        }
    const bool changed = !replaced.empty();
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
    return preserved_unless(changed);
}

} // namespace rivulet::compiler
