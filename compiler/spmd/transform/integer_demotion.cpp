// SPDX-License-Identifier: Apache-2.0
//
// Computes in 16 or 8 bits what C computes in int: twice or four times the lanes fit into a
// register, and the vector type changes less often. Without this pass kernels over pixels of 8 bits
// take as many registers as those over ints.
//
// The pass looks for graphs of operations (nodes), each of which gets a counterpart of N bits:
//
//   equal    The counterpart equals the node modulo 2^N. Otherwise it agrees with the node in those
//            of the lowest N bits that are demanded (LLVM's DemandedBits).
//   fits     The node's range shows that it is the zero extension or the sign extension of its
//            lowest N bits (analysis/integer_ranges.h).
//
// Sums, products, bitwise operations, left shifts, selects and phis only pass low bits on, so their
// counterparts are as good as their operands'. Right shifts, divisions, comparisons, minima and
// maxima need operands that are equal and fit, all of them in the same way. A right shift may also
// take bits from above if they are not demanded. A user of more bits extends the counterpart, so
// that must be equal and the node must fit.
//
// A node starts as one if its operation is known, and stops being one if what it needs of its
// operands or users doesn't hold. What is left holds for all of them at once: a value of a loop's
// iteration only depends on values that were computed before it.
//
// Counterparts have no flags. Ranges and demanded bits may rely on flags of the original, which is
// poison where these don't hold.
//
// Operands that are uniform or affine, such as ids, are cut instead, which costs a scalar
// instruction at most; they stay wide themselves, since addresses are made of them. Values that are
// accumulated over a loop mostly have no range, and stay wide, too.
//
// Expects scalar code (stage scalarise).
#include "compiler/spmd/transform/integer_demotion.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/DemandedBits.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/analysis/integer_ranges.h"
#include "compiler/spmd/analysis/uniformity.h"
#include "compiler/support/block_end_values.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(IntegerDemotionPass);

constexpr unsigned demotion_max_bits = 32; // of what is narrowed

namespace {

// How values of N bits become those of more.
enum class Extension : uint8_t { none = 0, zero = 1, sign = 2, either = 3 };
Extension operator&(Extension a, Extension b) { return Extension(uint8_t(a) & uint8_t(b)); }
bool has(Extension all, Extension one) { return (all & one) != Extension::none; }

class IntegerDemoter {
public:
    IntegerDemoter(Function &function, unsigned bits)
        : function_(function), bits_(bits), type_(Type::getIntNTy(function.getContext(), bits)),
          uniformity_(function, 1), ranges_(function), dominators_(function),
          assumptions_(function), demanded_(function, assumptions_, dominators_) {}

    // Returns whether anything changed.
    bool run() {
        find_nodes();
        remove_invalid_nodes();
        remove_unprofitable_nodes();
        if (nodes_.empty())
            return false;
        make_counterparts();
        replace_users();
        erase_nodes();
        return true;
    }

private:
    struct Node {
        bool equal = true;
        bool removed = false;  // until all are: erasing one by one takes quadratic time
        WeakTrackingVH narrow; // it may be a cut of another node, which is replaced
    };

    // --- What is known of a value ----------------------------------------------------------------
    Node *node(const Value *value) {
        auto found = nodes_.find(const_cast<Value *>(value));
        return found == nodes_.end() || found->second.removed ? nullptr : &found->second;
    }

    // An extension from N or fewer bits.
    bool is_leaf(const Value *value) const {
        return isa<ZExtInst, SExtInst>(value) &&
               cast<CastInst>(value)->getSrcTy()->getIntegerBitWidth() <= bits_;
    }

    // What costs no vector instruction to cut: constants, and what is uniform or affine.
    bool is_cheap(const Value *value) const {
        return isa<ConstantInt, UndefValue, Argument>(value) || cheap_.contains(value);
    }
    bool computes_cheap(const Instruction &instruction) const {
        if (uniformity_.uniform(instruction))
            return true;
        const auto step = affine_step(instruction, Meaning::modulo);
        if (!step || !is_cheap(step->left))
            return false;
        if (!step->right)
            return true;
        const bool one_is_uniform = is_uniform(step->left) || is_uniform(step->right);
        return is_cheap(step->right) && (!step->is_product || one_is_uniform);
    }
    bool is_uniform(const Value *value) const {
        return isa<Constant>(value) || uniformity_.uniform(*value);
    }

    bool can_narrow(const Value *value) { return node(value) || is_cheap(value); }
    bool is_equal(const Value *value) {
        const Node *found = node(value);
        return found ? found->equal : is_cheap(value);
    }

    Extension fitting(const ConstantRange &range) const {
        return Extension((range.getActiveBits() <= bits_ ? unsigned(Extension::zero) : 0) |
                         (range.getMinSignedBits() <= bits_ ? unsigned(Extension::sign) : 0));
    }
    // How the counterpart becomes the value again; none if it doesn't.
    Extension extension(const Value *value) {
        return is_equal(value) ? fitting(ranges_.of(value)) : Extension::none;
    }

    bool demands_only(const Instruction &instruction, unsigned bits) {
        return demanded_.getDemandedBits(const_cast<Instruction *>(&instruction)).isIntN(bits);
    }
    bool demands_all_of_narrow(const Instruction &instruction) {
        return demanded_.getDemandedBits(const_cast<Instruction *>(&instruction))
            .trunc(bits_)
            .isAllOnes();
    }

    // --- Which values are nodes ------------------------------------------------------------------
    static bool is_known(const Instruction &instruction) {
        if (isa<BinaryOperator, SelectInst, PHINode, ZExtInst, SExtInst, TruncInst>(instruction))
            return true;
        auto *call = dyn_cast<IntrinsicInst>(&instruction);
        if (!call)
            return false;
        switch (call->getIntrinsicID()) {
        case Intrinsic::smin:
        case Intrinsic::smax:
        case Intrinsic::umin:
        case Intrinsic::umax:
        case Intrinsic::abs:
        case Intrinsic::usub_sat:
            return true;
        default:
            return false;
        }
    }

    void find_nodes() {
        for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_))
            for (Instruction &instruction : *block) {
                Type *type = instruction.getType();
                if (!type->isIntegerTy())
                    continue;
                if (computes_cheap(instruction)) {
                    cheap_.insert(&instruction);
                    if (!is_leaf(&instruction))
                        continue;
                }
                const unsigned bits = type->getIntegerBitWidth();
                if (bits > bits_ && bits <= demotion_max_bits && is_known(instruction))
                    nodes_.insert({&instruction, {}});
            }
    }

    void remove_invalid_nodes() {
        SmallSetVector<Instruction *, 32> pending;
        for (auto &[value, node] : nodes_)
            pending.insert(cast<Instruction>(value));
        while (!pending.empty()) {
            Instruction *instruction = pending.pop_back_val();
            Node *known = node(instruction);
            if (!known)
                continue;
            const bool was_equal = known->equal;
            const bool valid = has_valid_operands(*instruction, *known) &&
                               (is_leaf(instruction) || has_valid_users(*instruction));
            if (valid && known->equal == was_equal)
                continue;
            if (!valid)
                known->removed = true;
            auto ask_again = [&](Value *value) {
                if (node(value))
                    pending.insert(cast<Instruction>(value));
                else if (auto *compare = dyn_cast<ICmpInst>(value)) // the other side's extension
                    for (Value *operand : compare->operands())
                        if (node(operand))
                            pending.insert(cast<Instruction>(operand));
            };
            for (User *user : instruction->users())
                ask_again(user);
            if (!valid)
                for (Value *operand : instruction->operands())
                    ask_again(operand);
            if (valid)
                pending.insert(instruction);
        }
        nodes_.remove_if([](const auto &entry) { return entry.second.removed; });
    }

    // Sets what the operands make of the node, too.
    bool has_valid_operands(const Instruction &instruction, Node &node) {
        auto fit = [&](auto... values) {
            return (Extension::either & ... & extension(values)) != Extension::none;
        };
        auto passes_low_bits_on = [&](auto &&operands) {
            bool equal = true;
            for (const Value *operand : operands) {
                if (!can_narrow(operand))
                    return false;
                equal &= is_equal(operand);
            }
            node.equal = equal || demands_all_of_narrow(instruction);
            return true;
        };
        if (is_leaf(&instruction))
            return true;
        if (auto *phi = dyn_cast<PHINode>(&instruction))
            return passes_low_bits_on(phi->incoming_values());
        if (auto *select = dyn_cast<SelectInst>(&instruction))
            return passes_low_bits_on(
                ArrayRef<const Value *>{select->getTrueValue(), select->getFalseValue()});
        const Value *left = instruction.getOperand(0);
        if (isa<TruncInst>(instruction))
            return this->node(left) && passes_low_bits_on(ArrayRef<const Value *>{left});
        if (isa<ZExtInst>(instruction))
            return this->node(left) && has(extension(left), Extension::zero);
        if (isa<SExtInst>(instruction)) // what is no more than N bits without a sign has none
            return this->node(left) && fit(left);
        if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
            if (call->getIntrinsicID() == Intrinsic::abs)
                return fit(left);
            if (call->getIntrinsicID() == Intrinsic::usub_sat)
                return has(extension(left) & extension(instruction.getOperand(1)), Extension::zero);
            return fit(left, instruction.getOperand(1));
        }
        const Value *right = instruction.getOperand(1);
        const auto shift_is_small = [&] {
            return is_equal(right) && ranges_.of(right).getUnsignedMax().ult(bits_);
        };
        switch (instruction.getOpcode()) {
        case Instruction::Add:
        case Instruction::Sub:
        case Instruction::Mul:
        case Instruction::And:
        case Instruction::Or:
        case Instruction::Xor:
            return passes_low_bits_on(ArrayRef<const Value *>{left, right});
        case Instruction::Shl:
            return shift_is_small() && passes_low_bits_on(ArrayRef<const Value *>{left});
        case Instruction::LShr:
        case Instruction::AShr: {
            if (!shift_is_small() || !can_narrow(left))
                return false;
            const bool is_signed = instruction.getOpcode() == Instruction::AShr;
            if (has(extension(left), Extension::zero) ||
                (is_signed && has(extension(left), Extension::sign)))
                return true;
            node.equal = false;
            auto *by = dyn_cast<ConstantInt>(right);
            return by && demands_only(instruction, bits_ - unsigned(by->getZExtValue()));
        }
        case Instruction::UDiv:
        case Instruction::URem:
            return has(extension(left) & extension(right), Extension::zero);
        case Instruction::SDiv:
        case Instruction::SRem: {
            if (has(extension(left) & extension(right), Extension::zero))
                return true;
            // The least number divided by -1 is undefined.
            const APInt least =
                APInt::getSignedMinValue(bits_).sext(instruction.getType()->getIntegerBitWidth());
            return fit(left, right) &&
                   !(ranges_.of(left).contains(least) &&
                     ranges_.of(right).contains(APInt::getAllOnes(least.getBitWidth())));
        }
        default:
            return false;
        }
    }

    bool has_valid_users(const Instruction &instruction) {
        if (instruction.use_empty() || is_accumulated(instruction))
            return false;
        if (extension(&instruction) != Extension::none)
            return true;
        return all_of(instruction.users(), [&](const User *user) {
            if (node(user) || is_cut(*user))
                return true;
            auto *compare = dyn_cast<ICmpInst>(user);
            return compare && compares_narrow(*compare);
        });
    }

    bool is_cut(const User &user) const {
        return isa<TruncInst>(user) && user.getType()->getIntegerBitWidth() <= bits_;
    }

    // A product that goes into sums of 32 bits only: one instruction multiplies halves and adds.
    bool is_accumulated(const Instruction &product) {
        return product.getOpcode() == Instruction::Mul && !isa<Constant>(product.getOperand(1)) &&
               all_of(product.users(), [&](const User *user) {
                   return match(user, m_c_Add(m_Specific(&product), m_Value())) && !node(user);
               });
    }

    bool compares_narrow(const ICmpInst &compare) {
        return (extension(compare.getOperand(0)) & extension(compare.getOperand(1))) !=
                   Extension::none ||
               limited_side(compare);
    }

    // The side of a comparison whose other side is uniform and may be limited to the least and
    // the largest number that make a difference: see limited_compare().
    std::optional<unsigned> limited_side(const ICmpInst &compare) {
        for (unsigned side : {0u, 1u}) {
            const Value *value = compare.getOperand(side);
            const Value *limit = compare.getOperand(1 - side);
            if (node(value) && !isa<Constant>(limit) && is_uniform(limit) &&
                limits(compare, side).how != Extension::none)
                return side;
        }
        return std::nullopt;
    }

    // The limits, of the value's bits, between which the other side stays.
    struct Limits {
        Extension how = Extension::none;
        APInt least{}, largest{};
    };
    Limits limits(const ICmpInst &compare, unsigned side) {
        const Value *value = compare.getOperand(side);
        const Extension both = extension(value);
        const auto predicate = side == 0 ? compare.getPredicate() : compare.getSwappedPredicate();
        const ConstantRange range = ranges_.of(value);
        for (Extension how : {Extension::zero, Extension::sign}) {
            if (!has(both, how))
                continue;
            const bool is_signed = compare.isSigned();
            APInt least = is_signed ? range.getSignedMin() : range.getUnsignedMin();
            APInt largest = is_signed ? range.getSignedMax() : range.getUnsignedMax();
            // v < n and v >= n tell numbers up to one above the largest v apart; v <= n and v > n
            // from one below the least.
            if (ICmpInst::isLT(predicate) || ICmpInst::isGE(predicate)) {
                if (is_signed ? largest.isMaxSignedValue() : largest.isMaxValue())
                    continue;
                ++largest;
            } else if (ICmpInst::isLE(predicate) || ICmpInst::isGT(predicate)) {
                if (is_signed ? least.isMinSignedValue() : least.isMinValue())
                    continue;
                --least;
            } else {
                continue;
            }
            const auto fits = [&](const APInt &number) {
                return how == Extension::zero ? number.isIntN(bits_) : number.isSignedIntN(bits_);
            };
            // What is between the two must fit, too: not if a sign changes on the way.
            const bool one_sign =
                is_signed || how == Extension::zero || least.isNegative() == largest.isNegative();
            if (one_sign && fits(least) && fits(largest))
                return {how, least, largest};
        }
        return {};
    }

    // --- Which graphs are worth it ---------------------------------------------------------------
    // Graphs that take as many extensions as they save instructions of more bits stay as they are,
    // and so do those of truth values only, which don't come with other values of a few bits. A
    // conversion to floating point extends to twice the bits itself: what it takes isn't narrowed
    // further.
    void remove_unprofitable_nodes() {
        EquivalenceClasses<Value *> graphs;
        for (auto &[value, node] : nodes_)
            graphs.insert(value);
        auto join = [&](Value *a, Value *b) {
            if (node(a) && node(b))
                graphs.unionSets(a, b);
        };
        SmallPtrSet<ICmpInst *, 16> compares;
        for (auto &[value, known] : nodes_) {
            if (!is_leaf(value))
                for (Value *operand : cast<Instruction>(value)->operands())
                    join(value, operand);
            for (User *user : value->users())
                if (auto *compare = dyn_cast<ICmpInst>(user);
                    compare && compares_narrow(*compare)) {
                    join(compare->getOperand(0), compare->getOperand(1));
                    compares.insert(compare);
                }
        }
        DenseMap<Value *, int> gains;
        DenseSet<Value *> have_narrow_data, are_converted;
        for (auto &[value, known] : nodes_) {
            Value *graph = graphs.getLeaderValue(value);
            gains[graph] += gain(*cast<Instruction>(value), compares);
            if ((is_leaf(value) && cast<CastInst>(value)->getSrcTy()->getIntegerBitWidth() > 1) ||
                any_of(value->users(), [&](User *user) { return is_cut(*user); }))
                have_narrow_data.insert(graph);
            if (!is_leaf(value) && any_of(value->users(), [&](User *user) {
                    return isa<UIToFPInst, SIToFPInst>(user) &&
                           user->getType()->getScalarSizeInBits() > 2 * bits_;
                }))
                are_converted.insert(graph);
        }
        for (ICmpInst *compare : compares)
            for (Value *operand : compare->operands())
                if (node(operand)) {
                    ++gains[graphs.getLeaderValue(operand)];
                    break;
                }
        nodes_.remove_if([&](const auto &entry) {
            Value *graph = graphs.getLeaderValue(entry.first);
            return gains.lookup(graph) <= 0 || !have_narrow_data.contains(graph) ||
                   are_converted.contains(graph);
        });
    }

    int gain(const Instruction &instruction, const SmallPtrSet<ICmpInst *, 16> &compares) {
        bool has_wide_users = false;
        for (const User *user : instruction.users()) {
            auto *compare = dyn_cast<ICmpInst>(user);
            has_wide_users |= !node(user) && !is_cut(*user) &&
                              !(compare && compares.contains(const_cast<ICmpInst *>(compare)));
        }
        if (is_leaf(&instruction)) // none of N bits is needed any more, and one of others is
            return !has_wide_users &&
                   cast<CastInst>(instruction).getSrcTy()->getIntegerBitWidth() == bits_;
        return !isa<PHINode, TruncInst, ZExtInst, SExtInst>(instruction) - has_wide_users;
    }

    // --- The rewrite -----------------------------------------------------------------------------
    // Each user gets an extension of its own, which may become part of it.
    Value *narrow(Value *value, IRBuilder<> &builder) {
        if (is_leaf(value) && node(value)) {
            Value *source = cast<CastInst>(value)->getOperand(0);
            return isa<SExtInst>(value) ? builder.CreateSExt(source, type_)
                                        : builder.CreateZExt(source, type_);
        }
        if (Node *known = node(value))
            return known->narrow;
        if (auto *constant = dyn_cast<ConstantInt>(value))
            return ConstantInt::get(type_, constant->getValue().trunc(bits_));
        if (isa<UndefValue>(value))
            return isa<PoisonValue>(value) ? PoisonValue::get(type_) : UndefValue::get(type_);
        Value *&cut = cuts_[value];
        if (!cut) {
            auto *instruction = dyn_cast<Instruction>(value);
            IRBuilder<> after(instruction ? &**instruction->getInsertionPointAfterDef()
                                          : &*function_.getEntryBlock().getFirstInsertionPt());
            cut = after.CreateTrunc(value, type_);
        }
        return cut;
    }

    void make_counterparts() {
        for (auto &[value, node] : nodes_)
            if (auto *phi = dyn_cast<PHINode>(value))
                node.narrow = IRBuilder<>(phi).CreatePHI(type_, phi->getNumIncomingValues());
        for (auto &[value, node] : nodes_) {
            if (is_leaf(value))
                continue;
            auto &instruction = *cast<Instruction>(value);
            if (!isa<PHINode>(instruction)) {
                IRBuilder<> builder(&instruction);
                node.narrow = counterpart(instruction, builder);
            }
            if (auto *made = dyn_cast<Instruction>(node.narrow); made && !made->hasName())
                made->setName(value->getName());
        }
        for (auto &[value, node] : nodes_)
            if (auto *phi = dyn_cast<PHINode>(value)) {
                BlockEndValues at_ends;
                for (auto [incoming, block] : zip(phi->incoming_values(), phi->blocks()))
                    cast<PHINode>(node.narrow)
                        ->addIncoming(
                            at_ends.get(block,
                                        [&](IRBuilder<> &end) { return narrow(incoming, end); }),
                            block);
            }
    }

    Value *counterpart(Instruction &instruction, IRBuilder<> &builder) {
        if (auto *select = dyn_cast<SelectInst>(&instruction))
            return builder.CreateSelect(select->getCondition(),
                                        narrow(select->getTrueValue(), builder),
                                        narrow(select->getFalseValue(), builder));
        Value *left = narrow(instruction.getOperand(0), builder);
        if (isa<CastInst>(instruction))
            return left;
        const bool no_sign = has(extension(instruction.getOperand(0)), Extension::zero);
        if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
            const Intrinsic::ID id = call->getIntrinsicID();
            if (id == Intrinsic::abs)
                return has(extension(call->getArgOperand(0)), Extension::sign)
                           ? builder.CreateBinaryIntrinsic(id, left, builder.getFalse())
                           : left;
            // Sign extension keeps both orders; numbers without a sign only have one.
            const Extension how =
                extension(call->getArgOperand(0)) & extension(call->getArgOperand(1));
            const bool keeps_order = has(how, Extension::sign) || id == Intrinsic::usub_sat;
            return builder.CreateBinaryIntrinsic(keeps_order             ? id
                                                 : id == Intrinsic::smin ? Intrinsic::umin
                                                 : id == Intrinsic::smax ? Intrinsic::umax
                                                                         : id,
                                                 left, narrow(call->getArgOperand(1), builder));
        }
        auto opcode = cast<BinaryOperator>(instruction).getOpcode();
        if (opcode == Instruction::AShr && no_sign)
            opcode = Instruction::LShr;
        if (instruction.isIntDivRem() && no_sign &&
            has(extension(instruction.getOperand(1)), Extension::zero))
            opcode = opcode == Instruction::SDiv   ? Instruction::UDiv
                     : opcode == Instruction::SRem ? Instruction::URem
                                                   : opcode;
        return builder.CreateBinOp(opcode, left, narrow(instruction.getOperand(1), builder));
    }

    void replace_users() {
        SmallSetVector<ICmpInst *, 16> compares;
        for (auto &[value, node] : nodes_)
            for (User *user : value->users())
                if (auto *compare = dyn_cast<ICmpInst>(user); compare && compares_narrow(*compare))
                    compares.insert(compare);
        for (ICmpInst *compare : compares)
            replace(*compare);
        for (auto &[value, node] : nodes_)
            if (!is_leaf(value)) // those of more bits keep that extension
                replace_uses(*cast<Instruction>(value), node.narrow);
    }

    void replace(ICmpInst &compare) {
        IRBuilder<> builder(&compare);
        Value *left = compare.getOperand(0);
        Value *right = compare.getOperand(1);
        Extension how = extension(left) & extension(right);
        Value *sides[2];
        if (how != Extension::none) {
            sides[0] = narrow(left, builder);
            sides[1] = narrow(right, builder);
        } else {
            const unsigned side = *limited_side(compare);
            const Limits between = limits(compare, side);
            how = between.how;
            sides[side] = narrow(compare.getOperand(side), builder);
            sides[1 - side] = builder.CreateTrunc(
                limited(builder, compare.getOperand(1 - side), between, compare.isSigned()), type_);
        }
        // As for minima and maxima in counterpart().
        const auto predicate =
            has(how, Extension::sign) ? compare.getPredicate() : compare.getUnsignedPredicate();
        compare.replaceAllUsesWith(builder.CreateICmp(predicate, sides[0], sides[1]));
        compare.eraseFromParent();
    }

    static Value *limited(IRBuilder<> &builder, Value *value, const Limits &between,
                          bool is_signed) {
        auto constant = [&](const APInt &number) {
            return ConstantInt::get(value->getType(), number);
        };
        value = builder.CreateBinaryIntrinsic(is_signed ? Intrinsic::smax : Intrinsic::umax, value,
                                              constant(between.least));
        return builder.CreateBinaryIntrinsic(is_signed ? Intrinsic::smin : Intrinsic::umin, value,
                                             constant(between.largest));
    }

    // Users that aren't narrowed get the value in their bits, or what they want of it.
    void replace_uses(Instruction &original, Value *small) {
        const Extension how = extension(&original);
        auto widened = [&](IRBuilder<> &at, Type *type) {
            return has(how, Extension::sign) ? at.CreateSExt(small, type)
                                             : at.CreateZExt(small, type);
        };
        BlockEndValues for_phis;
        for (Use &use : make_early_inc_range(original.uses())) {
            auto *user = cast<Instruction>(use.getUser());
            if (node(user))
                continue;
            IRBuilder<> builder(user);
            if (is_cut(*user)) {
                user->replaceAllUsesWith(builder.CreateTrunc(small, user->getType()));
                continue;
            }
            // An extension of the extension.
            const bool same = (isa<ZExtInst>(user) && has(how, Extension::zero)) ||
                              (isa<SExtInst>(user) && how != Extension::none);
            if (same) {
                user->replaceAllUsesWith(isa<ZExtInst>(user)
                                             ? builder.CreateZExt(small, user->getType())
                                             : widened(builder, user->getType()));
                continue;
            }
            if (isa<SIToFPInst>(user) || (isa<UIToFPInst>(user) && has(how, Extension::zero))) {
                user->replaceAllUsesWith(has(how, Extension::zero)
                                             ? builder.CreateUIToFP(small, user->getType())
                                             : builder.CreateSIToFP(small, user->getType()));
                continue;
            }
            if (auto *phi = dyn_cast<PHINode>(user))
                use.set(for_phis.get(phi->getIncomingBlock(use), [&](IRBuilder<> &at) {
                    return widened(at, original.getType());
                }));
            else
                use.set(widened(builder, original.getType()));
        }
    }

    // Nodes have no users any more but each other, and casts that were replaced.
    void erase_nodes() {
        SmallVector<WeakTrackingVH> leaves;
        SmallVector<Instruction *> erased;
        for (auto &[value, node] : nodes_) {
            if (is_leaf(value)) {
                leaves.push_back(value);
                continue;
            }
            for (User *user : value->users())
                if (!this->node(user))
                    erased.push_back(cast<Instruction>(user));
            erased.push_back(cast<Instruction>(value));
        }
        for (Instruction *instruction : erased)
            instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
        for (Instruction *instruction : erased)
            instruction->eraseFromParent();
        RecursivelyDeleteTriviallyDeadInstructionsPermissive(leaves);
    }

    Function &function_;
    const unsigned bits_;
    Type *type_;
    Uniformity uniformity_;
    IntegerRanges ranges_;
    DominatorTree dominators_;
    AssumptionCache assumptions_;
    DemandedBits demanded_;
    SmallPtrSet<const Value *, 32> cheap_;
    MapVector<Value *, Node> nodes_; // in reverse post-order
    DenseMap<Value *, Value *> cuts_;
};

// There is nothing to gain in functions without values of a few bits.
bool has_few_bits(Function &function) {
    return any_of(instructions(function), [](const Instruction &instruction) {
        return isa<ZExtInst, SExtInst>(instruction) &&
               instruction.getType()->getScalarSizeInBits() <= demotion_max_bits;
    });
}

} // namespace

bool demote_integers(Function &work_item, unsigned bits) {
    return has_few_bits(work_item) && IntegerDemoter(work_item, bits).run();
}

PreservedAnalyses IntegerDemotionPass::run(Function &function, FunctionAnalysisManager &) {
    bool changed = false;
    for (unsigned bits : {16u, 8u})
        changed |= demote_integers(function, bits);
    return preserved_unless(changed);
}

} // namespace rivulet::compiler
