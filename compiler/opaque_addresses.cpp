// SPDX-License-Identifier: Apache-2.0
#include "compiler/opaque_addresses.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

// What an address is made of, without constants: those go into the instructions.
Use &start_of(GetElementPtrInst &address) {
    Use *start = &address.getOperandUse(GetElementPtrInst::getPointerOperandIndex());
    while (auto *before = dyn_cast<GetElementPtrInst>(start->get())) {
        if (!before->hasAllConstantIndices())
            break;
        start = &before->getOperandUse(GetElementPtrInst::getPointerOperandIndex());
    }
    return *start;
}

} // namespace

void hide_starts_of_addresses(Function &function) {
    if (function.isDeclaration())
        return;
    const DominatorTree tree(function);
    const LoopInfo loops(tree);
    DenseMap<const Instruction *, FreezeInst *> hidden;
    for (const Loop *loop : loops.getLoopsInPreorder()) {
        if (!loop->isInnermost())
            continue;
        for (BasicBlock *block : loop->blocks())
            for (Instruction &instruction : *block) {
                auto *address = dyn_cast<GetElementPtrInst>(&instruction);
                if (!address || !loop->isLoopInvariant(address->getPointerOperand()))
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
}

} // namespace rivulet::compiler
