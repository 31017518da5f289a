// SPDX-License-Identifier: Apache-2.0
//
// Sinks splats to the instructions that have a .vx or .vf form: instruction selection, which sees
// one block at a time, folds them then. CodeGenPrepare could sink most of them, but numbers a whole
// block for each vector instruction in it, so this pass tells it not to. In functions where
// CodeGenPrepare has to sink comparisons, all splats but those for minimum and maximum are left to
// it.
//
// Needs the costs of the target; runs on the copy of the module that code is generated from.
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/analysis/operations.h"
#include "compiler/support/analysis_managers.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(SplatSinkingPass);

namespace {

// A splat in another block than its user, or of a scalar from another block. Instruction selection
// folds the others itself.
bool is_far(const Value &splat, const BasicBlock &block) {
    auto *copy = dyn_cast<Instruction>(&splat);
    if (!copy || !getSplatValue(copy))
        return false;
    auto *first = dyn_cast<Instruction>(copy->getOperand(0));
    return copy->getParent() != &block || (first && first->getParent() != &block);
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

PreservedAnalyses SplatSinkingPass::run(Function &function, FunctionAnalysisManager &analyses) {
    const TargetMachine &machine = analyses.getResult<TargetMachineAnalysis>(function).machine;
    const bool others_are_left = any_of(instructions(function), is_copied);
    const TargetTransformInfo &costs = analyses.getResult<TargetIRAnalysis>(function);
    SmallVector<WeakTrackingVH> replaced;
    for (Instruction &instruction : instructions(function)) {
        if (!instruction.getType()->isVectorTy() || isa<PHINode>(instruction))
            continue;
        SmallVector<Use *, 4> uses;
        // These have .vf forms, though LLVM's costs don't know that.
        if (is_fp_minimum_or_maximum(instruction))
            append_range(uses, map_range(instruction.operands(), [](Use &use) { return &use; }));
        else if (!others_are_left)
            costs.isProfitableToSinkOperands(&instruction, uses);
        for (Use *use : uses) {
            if (use->getUser() != &instruction || !is_far(**use, *instruction.getParent()))
                continue;
            replaced.emplace_back(use->get());
            auto *type = cast<VectorType>(use->get()->getType());
            use->set(IRBuilder<>(&instruction)
                         .CreateVectorSplat(type->getElementCount(), getSplatValue(use->get())));
        }
    }
    const bool any = !replaced.empty();
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
    if (!others_are_left)
        function.addFnAttr("target-features",
                           (machine.getTargetFeatureString() + ",+no-sink-splat-operands").str());
    return preserved_unless(any || !others_are_left);
}

} // namespace rivulet::compiler
