// SPDX-License-Identifier: Apache-2.0
#include "compiler/sink_splats.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Local.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

// In this block already, as code generation wants it.
bool is_here(const Value &splat, const BasicBlock &block) {
    auto *copy = cast<Instruction>(&splat);
    auto *first = dyn_cast<Instruction>(copy->getOperand(0));
    return copy->getParent() == &block && (!first || first->getParent() == &block);
}

// A comparison with a scalar: code generation copies it to where it is wanted, and then the scalar.
bool is_copied(const Instruction &instruction) {
    return isa<CmpInst>(instruction) && instruction.getType()->isVectorTy() &&
           any_of(
               instruction.operands(),
               [](const Use &use) { return isa<Instruction>(use) && getSplatValue(use.get()); }) &&
           any_of(instruction.users(), [&](const User *user) {
               return cast<Instruction>(user)->getParent() != instruction.getParent();
           });
}

} // namespace

void sink_splats(Function &function, const TargetMachine &machine) {
    if (any_of(instructions(function), is_copied))
        return;
    const TargetTransformInfo costs = machine.getTargetTransformInfo(function);
    SmallVector<WeakTrackingVH> replaced;
    for (Instruction &instruction : instructions(function)) {
        SmallVector<Use *, 4> uses;
        if (!instruction.getType()->isVectorTy() || isa<PHINode>(instruction) ||
            !costs.isProfitableToSinkOperands(&instruction, uses))
            continue;
        for (Use *use : uses) {
            Value *scalar = use->getUser() == &instruction ? getSplatValue(use->get()) : nullptr;
            if (!scalar || is_here(**use, *instruction.getParent()))
                continue;
            replaced.emplace_back(use->get());
            auto *type = cast<VectorType>(use->get()->getType());
            use->set(IRBuilder<>(&instruction).CreateVectorSplat(type->getElementCount(), scalar));
        }
    }
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
    function.addFnAttr("target-features",
                       (machine.getTargetFeatureString() + ",+no-sink-splat-operands").str());
}

} // namespace rivulet::compiler
