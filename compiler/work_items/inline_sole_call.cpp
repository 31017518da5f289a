// SPDX-License-Identifier: Apache-2.0
#include "compiler/work_items/inline_sole_call.h"

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/Attributes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

// Whether the body can be moved as it is. Otherwise LLVM's inliner is needed: it moves variables to
// the caller's entry, turns `restrict` into metadata, and adapts lines if the caller is another
// function of the source.
bool can_move(const CallInst &call, const Function &callee) {
    return callee.hasOneUse() && callee.getReturnType()->isVoidTy() &&
           !call.getFunction()->getSubprogram() &&
           none_of(callee.args(),
                   [](const llvm::Argument &argument) {
                       return argument.hasNoAliasAttr() || argument.hasByValAttr();
                   }) &&
           none_of(instructions(callee),
                   [](const Instruction &instruction) { return isa<AllocaInst>(instruction); });
}

// Cloning simplifies as it goes, with known arguments; a moved body needs that separately.
void simplify_body(Function &function) {
    const SimplifyQuery query(function.getDataLayout());
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
        if (Value *simple = simplifyInstruction(&instruction, query)) {
            instruction.replaceAllUsesWith(simple);
            if (isInstructionTriviallyDead(&instruction))
                instruction.eraseFromParent();
        }
    bool found = false;
    for (BasicBlock &block : function)
        found |= ConstantFoldTerminator(&block);
    if (found)
        EliminateUnreachableBlocks(function);
}

} // namespace

void inline_last_call(CallInst &call) {
    Function &callee = *call.getCalledFunction();
    if (!can_move(call, callee)) {
        InlineFunctionInfo info;
        InlineFunction(call, info);
        callee.eraseFromParent();
        return;
    }
    Function &caller = *call.getFunction();
    AttributeFuncs::mergeAttributesForInlining(caller, callee);
    for (llvm::Argument &argument : callee.args()) {
        argument.reverseUseList(); // moving the uses reverses it again
        argument.replaceAllUsesWith(call.getArgOperand(argument.getArgNo()));
    }
    simplify_body(callee);
    BasicBlock *before = call.getParent();
    BasicBlock *after = before->splitBasicBlock(call.getIterator(), callee.getName() + ".exit");
    before->getTerminator()->setSuccessor(0, &callee.getEntryBlock());
    call.eraseFromParent();
    SmallVector<BasicBlock *> ends;
    for (BasicBlock &block : callee)
        if (isa<ReturnInst>(block.getTerminator()))
            ends.push_back(&block);
    for (BasicBlock *end : ends) {
        end->getTerminator()->eraseFromParent();
        BranchInst::Create(after, end);
    }
    caller.splice(after->getIterator(), &callee);
    if (ends.size() == 1) { // it and the code after the call become one block
        ends[0]->moveBefore(after);
        ends[0]->takeName(after);
    }
    for (BasicBlock &block : make_early_inc_range(
             make_range(std::next(before->getIterator()), std::next(after->getIterator()))))
        MergeBlockIntoPredecessor(&block);
    callee.eraseFromParent();
}

} // namespace rivulet::compiler
