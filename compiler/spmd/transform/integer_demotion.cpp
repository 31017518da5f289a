// SPDX-License-Identifier: Apache-2.0
//
// Narrows int arithmetic on bytes and shorts to 16 bits where value ranges show that the results
// fit. C promotes such operands to int, and InstCombine narrows only what is truncated at the end.
// With 16 bits a register holds twice as many lanes, and the vector type changes less often;
// without this pass kernels over 8-bit pixels run at the speed of kernels over ints.
//
// The invariant: a narrowed value is the 16-bit number whose sign extension is the original. Sign
// extension keeps the signed and the unsigned order, so comparisons, minima and maxima can be
// narrowed whatever their signedness; sums, products and left shifts need the ranges. Ranges come
// from the extensions of narrow operands and from constants only: flags such as nsw prove nothing
// about a lane that is not active.
//
// Expects scalar code (stage scalarise). A value that is carried around a loop keeps its type,
// since phis are not narrowed.
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

struct Narrow {
    Value *value;        // of 16 bits; its sign extension is the original
    ConstantRange range; // of the original, 32 bits
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

    // A product that is only added to 32-bit sums. vwmacc multiplies 16-bit values and adds the
    // 32-bit product in one instruction, so narrowing the product would cost an extension.
    bool is_accumulated(Value &value) const {
        auto *product = dyn_cast<BinaryOperator>(&value);
        return product && product->getOpcode() == Instruction::Mul &&
               !isa<Constant>(product->getOperand(1)) && all_of(product->users(), [&](User *user) {
                   return match(user, m_c_Add(m_Specific(product), m_Value())) &&
                          !done_.contains(user);
               });
    }

    // The value in 16 bits, if no more than a cheaper extension makes it: of a constant, of a value
    // that was narrowed before, or of an extension from 8 to 16 bits. A zero extension from 16 bits
    // has no 16-bit sign extension.
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

    // Users that weren't narrowed get the value sign-extended, or its low bits if they truncate it.
    void replace_uses(Value &original, Value *small) {
        auto widened = [&](IRBuilder<> &at) { return at.CreateSExt(small, original.getType()); };
        BlockEndValues for_phis;
        for (Use &use : make_early_inc_range(original.uses())) {
            auto *user = cast<Instruction>(use.getUser());
            if (done_.contains(user))
                continue;
            if (auto *cut = dyn_cast<TruncInst>(user);
                cut && cut->getType()->getScalarSizeInBits() <= narrow_bits) {
                IRBuilder<> builder(cut);
                cut->replaceAllUsesWith(builder.CreateTrunc(small, cut->getType()));
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
