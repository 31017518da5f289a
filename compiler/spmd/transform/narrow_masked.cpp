// SPDX-License-Identifier: Apache-2.0
//
// Computes x & 0xffffffff in 32 bits, where x is arithmetic whose lower half only depends on the
// lower halves of its operands. Arithmetic on uint that involves an id comes in this form, since
// ids have 64 bits. Runs after the last InstCombine of its stage, which would turn the result back.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(NarrowMaskedPass);

// How deep in an expression of 64 bits its lower half is looked for.
constexpr unsigned low_half_max_depth = 6; // operations

namespace {

// The low 32 bits of a value, where its operands have no more; or null.
Value *low_half(Value *value, IRBuilder<> &builder, unsigned depth = low_half_max_depth) {
    Type *word = builder.getInt32Ty();
    if (auto *constant = dyn_cast<ConstantInt>(value))
        return ConstantInt::get(word, constant->getValue().trunc(32));
    if (auto *wide = dyn_cast<CastInst>(value);
        wide && wide->isIntegerCast() && wide->getSrcTy()->getIntegerBitWidth() <= 32)
        return isa<SExtInst>(wide) ? builder.CreateSExt(wide->getOperand(0), word)
                                   : builder.CreateZExt(wide->getOperand(0), word);
    auto *operation = dyn_cast<BinaryOperator>(value);
    if (!operation || depth == 0)
        return nullptr;
    switch (operation->getOpcode()) {
    case Instruction::Shl:
        if (auto *by = dyn_cast<ConstantInt>(operation->getOperand(1)); !by || by->uge(32))
            return nullptr;
        break;
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
        break;
    default:
        return nullptr;
    }
    Value *left = low_half(operation->getOperand(0), builder, depth - 1);
    Value *right = left ? low_half(operation->getOperand(1), builder, depth - 1) : nullptr;
    return right ? builder.CreateBinOp(operation->getOpcode(), left, right) : nullptr;
}

} // namespace

PreservedAnalyses NarrowMaskedPass::run(Function &function, FunctionAnalysisManager &) {
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        Value *wide = nullptr;
        if (!match(&instruction, m_And(m_Value(wide), m_SpecificInt(UINT32_MAX))) ||
            !instruction.getType()->isIntegerTy(64))
            continue;
        IRBuilder<> builder(&instruction);
        if (Value *low = low_half(wide, builder))
            instruction.replaceAllUsesWith(builder.CreateZExt(low, instruction.getType()));
    }
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
