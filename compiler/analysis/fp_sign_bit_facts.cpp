// SPDX-License-Identifier: Apache-2.0
#include "compiler/analysis/fp_sign_bit_facts.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr const char *never_negative = "rivulet.never_negative";

bool is_positive(const Value &value) {
    const APFloat *number = nullptr;
    return match(&value, m_APFloat(number)) && !number->isNegative() && !number->isNaN();
}

} // namespace

void record_sign_bit_facts(Function &function) {
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        auto *assumption = dyn_cast<AssumeInst>(&instruction);
        Value *bits = nullptr;
        Instruction *value = nullptr;
        if (!assumption ||
            !match(assumption->getArgOperand(0),
                   m_SpecificICmp(ICmpInst::ICMP_SGT, m_Value(bits), m_AllOnes())) ||
            !match(bits, m_BitCast(m_Instruction(value))) || !value->getType()->isFloatingPointTy())
            continue;
        value->setMetadata(never_negative, MDNode::get(function.getContext(), {}));
        Value *condition = assumption->getArgOperand(0);
        assumption->eraseFromParent();
        RecursivelyDeleteTriviallyDeadInstructions(condition);
    }
}

void keep_known_sign(const Instruction &original, Value &copy) {
    if (auto *instruction = dyn_cast<Instruction>(&copy);
        instruction && original.getMetadata(never_negative))
        instruction->copyMetadata(original, original.getContext().getMDKindID(never_negative));
}

bool is_never_negative(const Value &value, unsigned depth) {
    Value *root = nullptr;
    if (is_positive(value) || match(&value, m_FAbs(m_Value())) ||
        match(&value, m_FMul(m_Value(root), m_Deferred(root))))
        return true;
    auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction)
        return false;
    if (instruction->hasMetadata(never_negative))
        return true;
    switch (instruction->getOpcode()) {
    case Instruction::FMul:
    case Instruction::FDiv:
    case Instruction::FAdd:
        return depth > 0 && all_of(instruction->operand_values(), [&](const Value *operand) {
                   return is_never_negative(*operand, depth - 1);
               });
    default:
        return false;
    }
}

} // namespace rivulet::compiler
