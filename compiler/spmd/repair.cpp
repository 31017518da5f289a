// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/repair.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

namespace rivulet::compiler {

using namespace llvm;

void Repair::run(Function &function) {
    DominatorTree dominators(function);
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
        for (BasicBlock *guard : guards_)
            if (guard != value->getParent() && dominators.dominates(guard, value->getParent()))
                updater.AddAvailableValue(guard, skipped);
        for (Use *use : broken)
            updater.RewriteUse(*use);
    }
}

} // namespace rivulet::compiler
