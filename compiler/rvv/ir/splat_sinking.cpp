// SPDX-License-Identifier: Apache-2.0
//
// Sinks splats to the instructions that have a .vx or .vf form. Instruction selection sees one
// block at a time, so it folds a splat only if it is in the block of its user; a splat before a
// loop would take a whole register group in the loop. LLVM's CodeGenPrepare sinks most splats, too,
// but numbers all instructions of a block for each vector instruction in it, which takes quadratic
// time. This pass does it in linear time and tells CodeGenPrepare, by a target feature, to leave
// splats alone.
//
// CodeGenPrepare also copies comparisons to the blocks that use them, with splats that are not
// there before it runs. In a function with such a comparison it keeps all splats but those of
// minimum and maximum, which it does not know to have .vf forms.
//
// Needs the target's costs (TargetMachineAnalysis). Runs on the copy of the module that code is
// generated from, because the target feature must not stay.
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

// Whether a splat is in another block than its user, or of a scalar from another block. Instruction
// selection folds all others by itself.
bool is_far(const Value &splat, const BasicBlock &block) {
    auto *copy = dyn_cast<Instruction>(&splat);
    if (!copy || !getSplatValue(copy))
        return false;
    auto *first = dyn_cast<Instruction>(copy->getOperand(0));
    return copy->getParent() != &block || (first && first->getParent() != &block);
}

// Whether CodeGenPrepare will copy this comparison with a splat to a user in another block, and
// then sink the splat to the copy.
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
