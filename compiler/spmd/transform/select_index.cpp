// SPDX-License-Identifier: Apache-2.0
//
// Rewrites c ? &a[i] : &a[j] as &a[c ? i : j], and c ? &a[i] : a as &a[c ? i : 0]. With one buffer
// and an index, the access is a gather by offsets from a known base. Without this pass it is a
// gather by whole addresses, which take twice the registers of 32-bit offsets.
//
// Both addresses must be one step of equal size and type from the same base. The new address has no
// flags such as inbounds.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(SelectIndexPass);

namespace {

// The pointer as one index from another address; null if it has another form.
GetElementPtrInst *single_step(Value *pointer) {
    auto *address = dyn_cast<GetElementPtrInst>(pointer);
    return address && address->getNumIndices() == 1 ? address : nullptr;
}

} // namespace

PreservedAnalyses SelectIndexPass::run(Function &function, FunctionAnalysisManager &) {
    bool found = false;
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        auto *choice = dyn_cast<SelectInst>(&instruction);
        if (!choice || !choice->getType()->isPointerTy())
            continue;
        Value *yes = choice->getTrueValue();
        Value *no = choice->getFalseValue();
        GetElementPtrInst *first = single_step(yes);
        GetElementPtrInst *second = single_step(no);
        Value *base = nullptr;
        if (first && second && first->getPointerOperand() == second->getPointerOperand()) {
            base = first->getPointerOperand();
            if (first->getSourceElementType() != second->getSourceElementType() ||
                first->getOperand(1)->getType() != second->getOperand(1)->getType())
                continue;
        } else if (first && first->getPointerOperand() == no) {
            base = no;
            second = nullptr;
        } else if (second && second->getPointerOperand() == yes) {
            base = yes;
            first = nullptr;
        } else {
            continue;
        }
        GetElementPtrInst *any = first ? first : second;
        IRBuilder<> builder(choice);
        Value *none = ConstantInt::get(any->getOperand(1)->getType(), 0);
        Value *index =
            builder.CreateSelect(choice->getCondition(), first ? first->getOperand(1) : none,
                                 second ? second->getOperand(1) : none);
        choice->replaceAllUsesWith(builder.CreateGEP(any->getSourceElementType(), base, index));
        choice->eraseFromParent();
        found = true;
    }
    return preserved_unless(found);
}

} // namespace rivulet::compiler
