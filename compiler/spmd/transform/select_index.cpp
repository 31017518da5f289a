// SPDX-License-Identifier: Apache-2.0
//
// Rewrites c ? &a[i] : &a[j] as &a[c ? i : j]. Stride analysis sees one buffer and an index then,
// and the access is a gather from a known base; a select of addresses would be an access of unknown
// addresses.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(SelectIndexPass);

PreservedAnalyses SelectIndexPass::run(Function &function, FunctionAnalysisManager &) {
    auto step = [](Value *pointer, Value *base) -> GetElementPtrInst * {
        auto *address = dyn_cast<GetElementPtrInst>(pointer);
        return address && address->getNumIndices() == 1 && address->getPointerOperand() == base
                   ? address
                   : nullptr;
    };
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        auto *choice = dyn_cast<SelectInst>(&instruction);
        if (!choice || !choice->getType()->isPointerTy())
            continue;
        Value *yes = choice->getTrueValue();
        Value *no = choice->getFalseValue();
        auto *address = dyn_cast<GetElementPtrInst>(yes);
        Value *base = address && step(no, address->getPointerOperand())
                          ? address->getPointerOperand()
                      : step(yes, no) ? no
                      : step(no, yes) ? yes
                                      : nullptr;
        GetElementPtrInst *first = base ? step(yes, base) : nullptr;
        GetElementPtrInst *second = base ? step(no, base) : nullptr;
        GetElementPtrInst *any = first ? first : second;
        if (!any || (first && second &&
                     (first->getSourceElementType() != second->getSourceElementType() ||
                      first->getOperand(1)->getType() != second->getOperand(1)->getType())))
            continue;
        IRBuilder<> builder(choice);
        Value *none = ConstantInt::get(any->getOperand(1)->getType(), 0);
        Value *index =
            builder.CreateSelect(choice->getCondition(), first ? first->getOperand(1) : none,
                                 second ? second->getOperand(1) : none);
        choice->replaceAllUsesWith(builder.CreateGEP(any->getSourceElementType(), base, index));
        choice->eraseFromParent();
    }
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
