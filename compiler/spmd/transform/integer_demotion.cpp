// SPDX-License-Identifier: Apache-2.0
//
// Computes in 16 bits what C computes in int: arithmetic on bytes and shorts, where value ranges
// show that 16 bits are enough. Twice the lanes fit into a register, and the vector type changes
// less often.
//
// Expects scalar code (stage scalarise). Values that are accumulated over a loop keep their type.
// Without this pass kernels over pixels of 8 bits run at the speed of those over ints.
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/support/block_end_values.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(IntegerDemotionPass);

namespace {

constexpr unsigned narrow_bits = 16;

// A value of 32 bits as one of 16 that it is the sign extension of.
struct Narrow {
    Value *value;
    ConstantRange range; // of 32 bits
};

class IntegerDemoter {
public:
    explicit IntegerDemoter(Function &function)
        : function_(function), type_(Type::getIntNTy(function.getContext(), narrow_bits)) {}

    void run() {
        for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_))
            for (Instruction &instruction : make_early_inc_range(*block))
                visit(instruction);
        done_.remove_if([&](const auto &entry) { return is_accumulated(*entry.first); });
        for (auto &[original, narrow] : done_)
            replace_uses(*original, narrow.value);
        SmallVector<WeakTrackingVH> dead;
        for (Instruction &instruction : instructions(function_))
            if (isInstructionTriviallyDead(&instruction))
                dead.push_back(&instruction);
        RecursivelyDeleteTriviallyDeadInstructions(dead);
    }

private:
    static bool fits(const ConstantRange &range) {
        return !range.isFullSet() && range.getSignedMin().isSignedIntN(narrow_bits) &&
               range.getSignedMax().isSignedIntN(narrow_bits);
    }

    // A product that goes into sums of 32 bits only: one instruction multiplies halves and adds.
    bool is_accumulated(Value &value) const {
        auto *product = dyn_cast<BinaryOperator>(&value);
        return product && product->getOpcode() == Instruction::Mul &&
               !isa<Constant>(product->getOperand(1)) && all_of(product->users(), [&](User *user) {
                   return match(user, m_c_Add(m_Specific(product), m_Value())) &&
                          !done_.contains(user);
               });
    }

    // Returns the value in 16 bits, if that costs no instruction.
    std::optional<Narrow> narrow(Value *value, Instruction &at) {
        if (!value->getType()->isIntegerTy(32))
            return std::nullopt;
        if (auto *constant = dyn_cast<ConstantInt>(value)) {
            ConstantRange range(constant->getValue());
            if (!fits(range))
                return std::nullopt;
            return Narrow{ConstantInt::get(type_, constant->getSExtValue(), true), range};
        }
        if (auto found = done_.find(value); found != done_.end())
            return found->second;
        auto *extension = dyn_cast<CastInst>(value);
        if (!extension || !isa<ZExtInst, SExtInst>(extension))
            return std::nullopt;
        unsigned bits = extension->getSrcTy()->getScalarSizeInBits();
        bool is_signed = isa<SExtInst>(extension);
        if (bits < 8 || bits > narrow_bits || (bits == narrow_bits && !is_signed))
            return std::nullopt;
        ConstantRange full(bits, true);
        IRBuilder<> builder(&at);
        Value *source = extension->getOperand(0);
        Value *small =
            is_signed ? builder.CreateSExt(source, type_) : builder.CreateZExt(source, type_);
        return Narrow{small, is_signed ? full.signExtend(32) : full.zeroExtend(32)};
    }

    void visit(Instruction &instruction) {
        IRBuilder<> builder(&instruction);
        if (auto *compare = dyn_cast<ICmpInst>(&instruction)) {
            if (isa<Constant>(compare->getOperand(0)))
                return;
            auto left = narrow(compare->getOperand(0), instruction);
            auto right = left ? narrow(compare->getOperand(1), instruction) : std::nullopt;
            if (!right)
                return;
            // Sign extension keeps both orders.
            compare->replaceAllUsesWith(
                builder.CreateICmp(compare->getPredicate(), left->value, right->value));
            return;
        }
        if (!instruction.getType()->isIntegerTy(32))
            return;
        if (auto *select = dyn_cast<SelectInst>(&instruction)) {
            auto yes = narrow(select->getTrueValue(), instruction);
            auto no = yes ? narrow(select->getFalseValue(), instruction) : std::nullopt;
            if (no)
                keep(instruction,
                     builder.CreateSelect(select->getCondition(), yes->value, no->value),
                     yes->range.unionWith(no->range));
            return;
        }
        Intrinsic::ID id = Intrinsic::not_intrinsic;
        if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
            id = call->getIntrinsicID();
        bool min_max = id == Intrinsic::smin || id == Intrinsic::smax || id == Intrinsic::umin ||
                       id == Intrinsic::umax;
        auto *operation = dyn_cast<BinaryOperator>(&instruction);
        if (!operation && !min_max && id != Intrinsic::abs)
            return;
        if (operation && operation->isIntDivRem())
            return;
        auto left = narrow(instruction.getOperand(0), instruction);
        if (!left)
            return;
        if (id == Intrinsic::abs) {
            ConstantRange range = left->range.abs();
            if (fits(range))
                keep(instruction,
                     builder.CreateBinaryIntrinsic(Intrinsic::abs, left->value, builder.getFalse()),
                     range);
            return;
        }
        auto right = narrow(instruction.getOperand(1), instruction);
        if (!right)
            return;
        if (min_max) {
            ConstantRange range = ConstantRange::intrinsic(id, {left->range, right->range});
            if (fits(range))
                keep(instruction, builder.CreateBinaryIntrinsic(id, left->value, right->value),
                     range);
            return;
        }
        ConstantRange range = left->range.binaryOp(operation->getOpcode(), right->range);
        bool is_shift = operation->isShift();
        if (!fits(range) || (is_shift && !right->range.getUnsignedMax().ult(narrow_bits)))
            return;
        keep(instruction, builder.CreateBinOp(operation->getOpcode(), left->value, right->value),
             range);
    }

    void keep(Instruction &original, Value *small, const ConstantRange &range) {
        small->takeName(&original);
        done_.insert({&original, {small, range}});
    }

    // Users that weren't narrowed get the value in 32 bits, or what they want of it.
    void replace_uses(Value &original, Value *small) {
        auto widened = [&](IRBuilder<> &at) { return at.CreateSExt(small, original.getType()); };
        BlockEndValues for_phis;
        for (Use &use : make_early_inc_range(original.uses())) {
            auto *user = cast<Instruction>(use.getUser());
            if (done_.contains(user))
                continue;
            if (auto *cut = dyn_cast<TruncInst>(user)) {
                IRBuilder<> builder(cut);
                unsigned bits = cut->getType()->getScalarSizeInBits();
                if (bits <= narrow_bits)
                    cut->replaceAllUsesWith(
                        bits == narrow_bits ? small : builder.CreateTrunc(small, cut->getType()));
                continue;
            }
            if (auto *phi = dyn_cast<PHINode>(user)) {
                use.set(for_phis.get(phi->getIncomingBlock(use), widened));
                continue;
            }
            IRBuilder<> builder(user);
            use.set(widened(builder));
        }
    }

    Function &function_;
    Type *type_;
    MapVector<Value *, Narrow> done_;
};

} // namespace

PreservedAnalyses IntegerDemotionPass::run(Function &function, FunctionAnalysisManager &) {
    IntegerDemoter(function).run();
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
