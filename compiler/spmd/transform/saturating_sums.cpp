// SPDX-License-Identifier: Apache-2.0
//
// Sums of bytes need 16 bits, unless all that matters is how they compare with small numbers: then
// sums that saturate at 255 do, in half the registers. Neighbours are counted like this:
//
//   n = a[x - 1] + a[x + 1] + …; alive = n == 3 || (n == 2 && a[x])
//
// The pass looks for graphs of operations (nodes), each of which gets a counterpart of N bits that
// is min(node, 2^N - 1), both without a sign. For M = 2^N - 1:
//
//   min(a + b, M)     = min(min(a, M) + min(b, M), M), if a + b doesn't wrap: a saturating sum
//   min(max(a, b), M) = max(min(a, M), min(b, M)), and so for minima, selects and phis
//   a == c            is min(a, M) == c for c < M; a < c is min(a, M) < c for c <= M
//
// Extensions of nodes are the same number. Those of N bits or fewer and constants have
// counterparts, too. A node starts as one if its operation is known, and stops being one if an
// operand or a user isn't of these kinds. What is left holds for all of them at once, as in
// integer_demotion.cpp.
//
// Counterparts have no flags. Whether a sum wraps may be known from flags of the original, which is
// poison where these don't hold.
#include "compiler/spmd/transform/saturating_sums.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/analysis/integer_ranges.h"
#include "compiler/spmd/analysis/uniformity.h"
#include "compiler/support/block_end_values.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(SaturatingSumsPass);

namespace {

class SaturatingSums {
public:
    SaturatingSums(Function &function, unsigned bits)
        : function_(function), bits_(bits), type_(Type::getIntNTy(function.getContext(), bits)),
          uniformity_(function, 1), ranges_(function) {}

    // Returns whether anything changed.
    bool run() {
        find_nodes();
        remove_invalid_nodes();
        remove_unprofitable_nodes();
        if (nodes_.empty())
            return false;
        make_counterparts();
        replace_compares();
        erase_nodes();
        return true;
    }

private:
    bool is_node(const Value *value) const { return nodes_.contains(const_cast<Value *>(value)); }
    bool is_leaf(const Value *value) const {
        auto *extension = dyn_cast<ZExtInst>(value);
        return extension && extension->getSrcTy()->getScalarSizeInBits() <= bits_;
    }
    // Bytes, if sums of bytes are looked for: a count of truths gains nothing on its own.
    bool is_narrow_data(const Value *value) const {
        return is_leaf(value) && cast<ZExtInst>(value)->getSrcTy()->getScalarSizeInBits() == bits_;
    }
    bool has_counterpart(const Value *value) const {
        return is_node(value) || is_leaf(value) || isa<ConstantInt>(value);
    }

    // --- Which values are nodes ------------------------------------------------------------------
    static SmallVector<Value *> operands_of(const Instruction &node) {
        if (auto *phi = dyn_cast<PHINode>(&node))
            return SmallVector<Value *>(phi->incoming_values());
        if (isa<CastInst>(node))
            return {node.getOperand(0)};
        const unsigned first = isa<SelectInst>(node) ? 1 : 0;
        return {node.getOperand(first), node.getOperand(first + 1)};
    }

    static bool is_known(const Instruction &instruction) {
        if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
            return call->getIntrinsicID() == Intrinsic::umin ||
                   call->getIntrinsicID() == Intrinsic::umax;
        return instruction.getOpcode() == Instruction::Add ||
               isa<SelectInst, PHINode, ZExtInst, SExtInst>(instruction);
    }

    void find_nodes() {
        for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_))
            for (Instruction &instruction : *block)
                if (instruction.getType()->isIntegerTy() &&
                    instruction.getType()->getIntegerBitWidth() > bits_ && is_known(instruction) &&
                    !is_leaf(&instruction) && !uniformity_.uniform(instruction))
                    nodes_.insert({&instruction, {}});
    }

    void remove_invalid_nodes() {
        SmallSetVector<Instruction *, 32> pending;
        for (auto &[value, counterpart] : nodes_)
            pending.insert(cast<Instruction>(value));
        DenseSet<Value *> removed;
        const auto still_node = [&](const Value *value) {
            return is_node(value) && !removed.contains(value);
        };
        const auto is_valid = [&](const Instruction &node) {
            return keeps_number(node) &&
                   all_of(operands_of(node),
                          [&](Value *operand) {
                              return has_counterpart(operand) && !removed.contains(operand);
                          }) &&
                   all_of(node.users(), [&](const User *user) {
                       return still_node(user) || compares_small(user, node);
                   });
        };
        while (!pending.empty()) {
            Instruction *node = pending.pop_back_val();
            if (removed.contains(node) || is_valid(*node))
                continue;
            removed.insert(node);
            for (User *user : node->users())
                if (still_node(user))
                    pending.insert(cast<Instruction>(user));
            for (Value *operand : operands_of(*node))
                if (still_node(operand))
                    pending.insert(cast<Instruction>(operand));
        }
        nodes_.remove_if([&](const auto &entry) { return removed.contains(entry.first); });
    }

    // Whether the result is that of numbers of any size without a sign.
    bool keeps_number(const Instruction &node) const {
        if (isa<SExtInst>(node))
            return ranges_.of(node.getOperand(0)).isAllNonNegative();
        return node.getOpcode() != Instruction::Add || never_wraps(node);
    }
    bool never_wraps(const Instruction &sum) const {
        if (cast<OverflowingBinaryOperator>(sum).hasNoUnsignedWrap())
            return true;
        bool overflow = false;
        (void)ranges_.of(sum.getOperand(0))
            .getUnsignedMax()
            .uadd_ov(ranges_.of(sum.getOperand(1)).getUnsignedMax(), overflow);
        return !overflow;
    }

    // The predicate that compares the counterpart with the constant's lowest N bits.
    std::optional<CmpInst::Predicate> narrow_predicate(const ICmpInst &compare) const {
        auto *constant = dyn_cast<ConstantInt>(compare.getOperand(1));
        if (!constant)
            return std::nullopt;
        const APInt &number = constant->getValue();
        const APInt most = APInt::getLowBitsSet(number.getBitWidth(), bits_);
        const auto predicate = compare.getUnsignedPredicate();
        if (compare.isSigned() &&
            (number.isNegative() || !ranges_.of(compare.getOperand(0)).isAllNonNegative()))
            return std::nullopt;
        const bool may_be_most = predicate == CmpInst::ICMP_ULT || predicate == CmpInst::ICMP_UGE;
        return (may_be_most ? number.ule(most) : number.ult(most)) ? std::optional(predicate)
                                                                   : std::nullopt;
    }
    bool compares_small(const User *user, const Instruction &node) const {
        if (auto *choice = dyn_cast<SwitchInst>(user))
            return all_of(choice->cases(), [&](const auto &one) {
                return one.getCaseValue()->getValue().ult(maxUIntN(bits_));
            });
        auto *compare = dyn_cast<ICmpInst>(user);
        return compare && compare->getOperand(0) == &node && narrow_predicate(*compare);
    }

    // --- Which graphs are worth it ---------------------------------------------------------------
    // Each sum saves registers; a graph without data of N bits would only get extensions to them.
    void remove_unprofitable_nodes() {
        DenseSet<Value *> worth;
        SmallVector<Value *> pending;
        for (auto &[value, counterpart] : nodes_)
            if (cast<Instruction>(value)->getOpcode() == Instruction::Add &&
                any_of(operands_of(*cast<Instruction>(value)),
                       [&](Value *operand) { return is_narrow_data(operand); }))
                pending.push_back(value);
        while (!pending.empty()) {
            Value *value = pending.pop_back_val();
            if (!worth.insert(value).second)
                continue;
            for (Value *operand : operands_of(*cast<Instruction>(value)))
                if (is_node(operand))
                    pending.push_back(operand);
            for (User *user : value->users())
                if (is_node(user))
                    pending.push_back(user);
        }
        nodes_.remove_if([&](const auto &entry) { return !worth.contains(entry.first); });
    }

    // --- The rewrite -----------------------------------------------------------------------------
    Value *narrow(Value *value, IRBuilder<> &builder) {
        if (auto *constant = dyn_cast<ConstantInt>(value))
            return ConstantInt::get(type_, constant->getValue().truncUSat(bits_));
        if (is_node(value))
            return nodes_.lookup(value);
        return builder.CreateZExt(cast<ZExtInst>(value)->getOperand(0), type_);
    }

    void make_counterparts() {
        for (auto &[value, counterpart] : nodes_)
            if (auto *phi = dyn_cast<PHINode>(value))
                counterpart = IRBuilder<>(phi).CreatePHI(type_, phi->getNumIncomingValues());
        for (auto &[value, counterpart] : nodes_) {
            auto &node = *cast<Instruction>(value);
            if (isa<PHINode>(node))
                continue;
            IRBuilder<> builder(&node);
            const auto operands = operands_of(node);
            Value *left = narrow(operands[0], builder);
            if (isa<CastInst>(node)) {
                counterpart = left;
                continue;
            }
            Value *right = narrow(operands[1], builder);
            if (auto *select = dyn_cast<SelectInst>(&node))
                counterpart = builder.CreateSelect(select->getCondition(), left, right);
            else
                counterpart = builder.CreateBinaryIntrinsic(
                    isa<IntrinsicInst>(node) ? cast<IntrinsicInst>(node).getIntrinsicID()
                                             : Intrinsic::uadd_sat,
                    left, right);
        }
        for (auto &[value, counterpart] : nodes_)
            if (auto *phi = dyn_cast<PHINode>(value)) {
                BlockEndValues at_ends;
                for (auto [incoming, block] : zip(phi->incoming_values(), phi->blocks()))
                    cast<PHINode>(counterpart)
                        ->addIncoming(
                            at_ends.get(block,
                                        [&](IRBuilder<> &end) { return narrow(incoming, end); }),
                            block);
            }
    }

    void replace_compares() {
        SmallSetVector<Instruction *, 16> compares;
        for (auto &[value, counterpart] : nodes_)
            for (User *user : value->users())
                if (isa<ICmpInst, SwitchInst>(user))
                    compares.insert(cast<Instruction>(user));
        for (Instruction *compare : compares)
            if (auto *choice = dyn_cast<SwitchInst>(compare))
                replace(*choice);
            else
                replace(cast<ICmpInst>(*compare));
    }
    void replace(ICmpInst &compare) {
        const auto predicate = *narrow_predicate(compare);
        IRBuilder<> builder(&compare);
        compare.replaceAllUsesWith(builder.CreateICmp(predicate,
                                                      narrow(compare.getOperand(0), builder),
                                                      narrow(compare.getOperand(1), builder)));
        compare.eraseFromParent();
    }
    void replace(SwitchInst &choice) {
        IRBuilder<> builder(&choice);
        choice.setCondition(narrow(choice.getCondition(), builder));
        for (auto one : choice.cases())
            one.setValue(cast<ConstantInt>(narrow(one.getCaseValue(), builder)));
    }

    // Nodes have no users any more but each other.
    void erase_nodes() {
        SmallVector<WeakTrackingVH> leaves;
        for (auto &[value, counterpart] : nodes_)
            for (Value *operand : operands_of(*cast<Instruction>(value)))
                if (is_leaf(operand))
                    leaves.emplace_back(operand);
        for (auto &[value, counterpart] : nodes_)
            value->replaceAllUsesWith(PoisonValue::get(value->getType()));
        for (auto &[value, counterpart] : nodes_)
            cast<Instruction>(value)->eraseFromParent();
        RecursivelyDeleteTriviallyDeadInstructionsPermissive(leaves);
    }

    Function &function_;
    const unsigned bits_;
    Type *type_;
    Uniformity uniformity_;
    IntegerRanges ranges_;
    MapVector<Value *, Value *> nodes_; // and their counterparts, in reverse post-order
};

// There is nothing to look for in functions that don't add data of N bits.
bool adds_narrow_data(Function &function, unsigned bits) {
    return any_of(instructions(function), [&](const Instruction &instruction) {
        auto *extension = dyn_cast<ZExtInst>(&instruction);
        return extension && extension->getSrcTy()->isIntegerTy(bits) &&
               any_of(extension->users(),
                      [](const User *user) { return match(user, m_Add(m_Value(), m_Value())); });
    });
}

} // namespace

bool saturate_sums(Function &work_item, unsigned bits) {
    return adds_narrow_data(work_item, bits) && SaturatingSums(work_item, bits).run();
}

PreservedAnalyses SaturatingSumsPass::run(Function &function, FunctionAnalysisManager &) {
    bool changed = false;
    for (unsigned bits : {8u, 16u})
        changed |= saturate_sums(function, bits);
    return preserved_unless(changed);
}

} // namespace rivulet::compiler
