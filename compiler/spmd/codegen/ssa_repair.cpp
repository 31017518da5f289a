// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/codegen/ssa_repair.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

namespace rivulet::compiler {

using namespace llvm;

// The innermost guard around each block that has one.
DenseMap<BasicBlock *, BasicBlock *> SsaRepair::guards_around(DominatorTree &dominators) const {
    DenseMap<BasicBlock *, BasicBlock *> around;
    for (auto *node : drop_begin(depth_first(dominators.getRootNode()))) {
        BasicBlock *before = node->getIDom()->getBlock();
        const bool guarded = guards_.contains(before) &&
                             before->getTerminator()->getSuccessor(0) == node->getBlock();
        if (BasicBlock *guard = guarded ? before : around.lookup(before))
            around[node->getBlock()] = guard;
    }
    return around;
}

// A use that its value doesn't dominate is outside of a guard around the value. The edge around the
// guarded code brings `skipped` there. Guards that surround all uses as well need no phi nodes:
// where they skip the value, they skip its uses.
void SsaRepair::run(Function &function) {
    DominatorTree dominators(function);
    const auto around = guards_around(dominators);
    SmallVector<Instruction *> all;
    for (Instruction &instruction : instructions(function))
        all.push_back(&instruction);
    for (Instruction *value : all) {
        SmallVector<Use *> broken;
        for (Use &use : value->uses())
            if (!dominators.dominates(value, use))
                broken.push_back(&use);
        if (broken.empty())
            continue;
        Type *type = value->getType();
        Value *skipped =
            masks_.contains(value) ? Constant::getNullValue(type) : PoisonValue::get(type);
        SSAUpdater updater;
        updater.Initialize(type, value->getName());
        updater.AddAvailableValue(value->getParent(), value);
        // Goes outwards over the guards, up to the innermost one that also surrounds all uses.
        auto is_around_uses = [&](BasicBlock *guard) {
            const BasicBlock *body = guard->getTerminator()->getSuccessor(0);
            return all_of(broken, [&](const Use *use) { return dominators.dominates(body, *use); });
        };
        for (BasicBlock *guard = around.lookup(value->getParent()); guard;
             guard = around.lookup(guard)) {
            updater.AddAvailableValue(guard, skipped);
            if (is_around_uses(guard))
                break;
        }
        for (Use *use : broken)
            updater.RewriteUse(*use);
    }
}

} // namespace rivulet::compiler
