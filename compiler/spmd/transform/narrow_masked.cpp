// SPDX-License-Identifier: Apache-2.0
//
// Computes x & 0xffffffff in 32 bits and extends the result, where x is 64-bit arithmetic whose
// lower half depends on the lower halves of its operands only. InstCombine brings uint arithmetic
// on ids into this form, since get_global_id() returns 64 bits. Without this pass such an index
// occupies twice the registers, and an rv32 device computes it in two words.
//
// Flags are dropped: a sum may wrap in 32 bits that doesn't in 64. Runs after the last InstCombine
// of its stage, which would turn the result back.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(NarrowMaskedPass);

// Expressions are followed to this depth. Operands that are used twice are visited twice, so the
// cost doubles with each level.
constexpr unsigned low_half_max_depth = 6; // operations

namespace {

// The low 32 bits of a value that is made of constants and extensions from at most 32 bits; null if
// it is made of anything else. A shift by 32 or more would be poison in 32 bits. What was built
// before an operand failed is dead code.
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
