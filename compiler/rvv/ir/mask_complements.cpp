// SPDX-License-Identifier: Apache-2.0
//
// Takes the lanes of a mask for which a comparison doesn't hold by one instruction on masks. Both
// ways of a branch that lanes take one by one need one: m & c and m & !c. Instruction selection
// turns the complement of a comparison into the opposite comparison even if both are needed, which
// compares whole register groups once more. RVV's vmandn.mm and vmorn.mm take the complement of a
// mask by the way.
//
// Only comparisons of the same block are concerned, because selection sees one block at a time.
// Runs on the copy of the module that code is generated from, because other passes look for plain
// operations.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsRISCV.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(MaskComplementsPass);

namespace {

// The operation on masks that takes the complement of its second operand, in place of one of the
// complement and another mask.
Intrinsic::ID with_complement(const User &user) {
    auto *operation = dyn_cast<BinaryOperator>(&user);
    if (!operation || operation->getOperand(0) == operation->getOperand(1))
        return Intrinsic::not_intrinsic;
    switch (operation->getOpcode()) {
    case Instruction::And:
        return Intrinsic::riscv_vmandn;
    case Instruction::Or:
        return Intrinsic::riscv_vmorn;
    default:
        return Intrinsic::not_intrinsic;
    }
}

// Whether selection would compare a second time for the complement of a comparison: the comparison
// has other users, and all users of the complement can take the comparison's mask instead.
bool is_compared_again(const Instruction &complement) {
    Value *holds = nullptr;
    if (!isa<ScalableVectorType>(complement.getType()) ||
        !match(&complement, m_Not(m_Value(holds))))
        return false;
    auto *compare = dyn_cast<CmpInst>(holds);
    return compare && compare->getParent() == complement.getParent() &&
           any_of(compare->users(), [](User *user) { return !match(user, m_Not(m_Value())); }) &&
           all_of(complement.users(), [](const User *user) { return with_complement(*user); });
}

void take_by_the_way(Instruction &complement, Type *xlen) {
    Value *holds = complement.getOperand(isa<CmpInst>(complement.getOperand(0)) ? 0 : 1);
    while (!complement.use_empty()) {
        auto *operation = cast<BinaryOperator>(complement.user_back());
        Value *other = operation->getOperand(operation->getOperand(0) == &complement ? 1 : 0);
        IRBuilder<> builder(operation);
        Value *mask =
            builder.CreateIntrinsic(with_complement(*operation), {operation->getType(), xlen},
                                    {other, holds, ConstantInt::getAllOnesValue(xlen)});
        mask->takeName(operation);
        operation->replaceAllUsesWith(mask);
        operation->eraseFromParent();
    }
    complement.eraseFromParent();
}

} // namespace

PreservedAnalyses MaskComplementsPass::run(Function &function, FunctionAnalysisManager &) {
    Type *xlen = function.getDataLayout().getIndexType(function.getContext(), 0);
    SmallVector<Instruction *> complements;
    for (Instruction &instruction : instructions(function))
        if (is_compared_again(instruction))
            complements.push_back(&instruction);
    bool changed = false;
    for (Instruction *complement : complements)
        if (is_compared_again(*complement)) { // where !a & !b is a's now, b's is a mask of its own
            take_by_the_way(*complement, xlen);
            changed = true;
        }
    return preserved_unless(changed);
}

} // namespace rivulet::compiler
