// SPDX-License-Identifier: Apache-2.0
//
// Promotes integers of 33 to 63 bits to 64 bits. LLVM creates them when it narrows comparisons and
// switches: 2 * v > c of 64 bits needs only 63 bits of v. Where vectors have no elements of 64
// bits, type legalisation splits i64 into two words and knows no other wide type, so without this
// pass such a kernel is not vectorised.
//
// The invariant: a promoted value is the zero extension of the original. Each operation restores it
// by a mask (cut), and signed operations extend the sign of their operands first. Shifts by too
// much and flags such as nsw need no thought: a promoted value may be defined where the original is
// poison.
//
// An operation that widened() doesn't know keeps its type and gets its operands as they are, so
// the function stays valid, just not vectorised.
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/support/block_end_values.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(IntegerPromotionPass);

namespace {

constexpr unsigned wide_bits = 64;

bool is_odd(const Value *value) {
    auto *type = dyn_cast<IntegerType>(value->getType());
    return type && type->getBitWidth() > wide_bits / 2 && type->getBitWidth() < wide_bits;
}

class IntegerPromoter {
public:
    explicit IntegerPromoter(Function &function)
        : function_(function), builder_(function.getContext()), type_(builder_.getInt64Ty()) {}

    void run() {
        SmallVector<Instruction *> found;
        for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_))
            for (Instruction &instruction : *block)
                if (is_odd(&instruction) || any_of(instruction.operand_values(), is_odd))
                    found.push_back(&instruction);
        for (Instruction *instruction : found) {
            builder_.SetInsertPoint(instruction);
            if (Value *value = widened(*instruction))
                wide_[instruction] = value;
        }
        for (auto [phi, wide] : phis_) {
            BlockEndValues extended;
            for (auto [value, block] : zip(phi->incoming_values(), phi->blocks()))
                wide->addIncoming(extended.get(block,
                                               [&](IRBuilder<> &at) {
                                                   builder_.SetInsertPoint(at.GetInsertPoint());
                                                   return zero_extended(value);
                                               }),
                                  block);
        }
        for (Instruction *instruction : found)
            if (auto wide = wide_.find(instruction); wide != wide_.end() && !is_odd(instruction))
                instruction->replaceAllUsesWith(wide->second);
        erase_replaced(found);
    }

private:
    // Erases the originals, except those that an operation of unknown kind still needs. Phis of a
    // loop use each other in a circle, so being unused is no criterion.
    void erase_replaced(ArrayRef<Instruction *> found) {
        SmallSetVector<Instruction *, 8> needed;
        for (Instruction *instruction : found)
            if (!wide_.contains(instruction))
                needed.insert(instruction);
        for (size_t i = 0; i < needed.size(); ++i)
            for (Value *operand : needed[i]->operands())
                if (wide_.contains(operand))
                    needed.insert(cast<Instruction>(operand));
        for (Instruction *instruction : found)
            if (!needed.contains(instruction)) {
                instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
                instruction->eraseFromParent();
            }
    }

    Value *zero_extended(Value *value) {
        if (!is_odd(value))
            return builder_.CreateZExt(value, type_);
        Value *known = wide_.lookup(value);
        return known ? known : builder_.CreateZExt(value, type_);
    }

    Value *sign_extended(Value *value) {
        if (!is_odd(value))
            return builder_.CreateSExt(value, type_);
        uint64_t upper = wide_bits - value->getType()->getIntegerBitWidth();
        return builder_.CreateAShr(builder_.CreateShl(zero_extended(value), upper), upper);
    }

    Value *cut(Value *value, const Type *type) {
        return builder_.CreateAnd(value,
                                  APInt::getLowBitsSet(wide_bits, type->getIntegerBitWidth()));
    }

    // The replacement of an instruction that has a result or an operand of an odd width: of 64 bits
    // if the result is odd. Null if it was changed in place or is of unknown kind.
    Value *widened(Instruction &instruction) {
        Type *type = instruction.getType();
        auto operand = [&](unsigned i) { return zero_extended(instruction.getOperand(i)); };
        auto with_sign = [&](unsigned i) { return sign_extended(instruction.getOperand(i)); };
        if (auto *phi = dyn_cast<PHINode>(&instruction)) {
            PHINode *wide = builder_.CreatePHI(type_, phi->getNumIncomingValues(), phi->getName());
            phis_.emplace_back(phi, wide);
            return wide;
        }
        if (auto *compare = dyn_cast<ICmpInst>(&instruction))
            return compare->isSigned()
                       ? builder_.CreateICmp(compare->getPredicate(), with_sign(0), with_sign(1))
                       : builder_.CreateICmp(compare->getPredicate(), operand(0), operand(1));
        if (auto *choice = dyn_cast<SwitchInst>(&instruction)) {
            choice->setCondition(operand(0));
            for (auto &each : choice->cases())
                each.setValue(ConstantInt::get(choice->getContext(),
                                               each.getCaseValue()->getValue().zext(wide_bits)));
            return nullptr;
        }
        switch (instruction.getOpcode()) {
        case Instruction::Trunc: {
            Value *value = instruction.getOperand(0);
            value = is_odd(value) ? zero_extended(value) : value;
            if (!is_odd(&instruction))
                return builder_.CreateTrunc(value, type);
            return cut(builder_.CreateTrunc(value, type_), type);
        }
        case Instruction::ZExt:
            return builder_.CreateZExt(operand(0), is_odd(&instruction) ? type_ : type);
        case Instruction::SExt:
            return is_odd(&instruction) ? cut(with_sign(0), type)
                                        : builder_.CreateSExt(with_sign(0), type);
        case Instruction::Freeze:
            return cut(builder_.CreateFreeze(operand(0)), type); // of poison: any 64 bits
        case Instruction::Select:
            return builder_.CreateSelect(instruction.getOperand(0), operand(1), operand(2));
        case Instruction::And:
        case Instruction::Or:
        case Instruction::Xor:
        case Instruction::LShr:
        case Instruction::UDiv:
        case Instruction::URem:
        case Instruction::Add:
        case Instruction::Sub:
        case Instruction::Mul:
        case Instruction::Shl:
            return cut(builder_.CreateBinOp(Instruction::BinaryOps(instruction.getOpcode()),
                                            operand(0), operand(1)),
                       type);
        case Instruction::AShr:
        case Instruction::SDiv:
        case Instruction::SRem:
            return cut(builder_.CreateBinOp(Instruction::BinaryOps(instruction.getOpcode()),
                                            with_sign(0), with_sign(1)),
                       type);
        default:
            return nullptr;
        }
    }

    Function &function_;
    IRBuilder<> builder_;
    Type *type_;
    DenseMap<Value *, Value *> wide_;
    SmallVector<std::pair<PHINode *, PHINode *>> phis_; // of 64 bits: the second
};

} // namespace

PreservedAnalyses IntegerPromotionPass::run(Function &function, FunctionAnalysisManager &) {
    IntegerPromoter(function).run();
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
