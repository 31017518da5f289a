// SPDX-License-Identifier: Apache-2.0
#include "compiler/steps.h"

#include <array>
#include <unordered_map>

#include <llvm/ADT/Hashing.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr size_t most_terms = 6;
constexpr size_t most_tried = 16;  // values of one sum
constexpr size_t most_blocks = 64; // of an iteration
constexpr unsigned most_risen = 6; // made of each other

// The product of up to so many values, by their numbers, sorted; 0: none.
using Term = std::array<unsigned, 3>;

// Terms, each so many times, and a constant: modulo 2^64, which is enough for all widths.
struct Sum {
    SmallVector<std::pair<Term, uint64_t>, 4> terms; // sorted
    uint64_t constant = 0;
    bool lost = false; // something that is part of it is no term: poison, maybe

    void add(Term term, uint64_t times) {
        auto *at = lower_bound(terms, std::pair(term, uint64_t(0)));
        if (at == terms.end() || at->first != term)
            at = terms.insert(at, {term, 0});
        at->second += times;
        if (at->second != 0)
            return;
        terms.erase(at);
        lost = true;
    }
    uint64_t times(const Term &term) const {
        const auto *at = lower_bound(terms, std::pair(term, uint64_t(0)));
        return at == terms.end() || at->first != term ? 0 : at->second;
    }
    void add(const Sum &other, uint64_t times) {
        for (auto [term, count] : other.terms)
            add(term, count * times);
        constant += other.constant * times;
    }
};

bool is_scalar(const Type *type) {
    return type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

// What values are made of.
class Sums {
public:
    explicit Sums(const DataLayout &layout) : layout_(layout) {}

    const Sum &of(Value *value) {
        if (auto known = sums_.find(value); known != sums_.end())
            return known->second;
        auto sum = made_of(value);
        if (!sum || sum->lost || sum->terms.size() > most_terms) {
            sum = Sum();
            sum->add({0, 0, number(value)}, 1);
            leaves_.insert(value);
        }
        return sums_.emplace(value, std::move(*sum)).first->second;
    }
    Value *leaf(unsigned number) const { return numbered_[number - 1]; }
    bool is_leaf(Value *value) const { return leaves_.contains(value); }

    // Whether that one was unknown.
    bool replace(Value *value, Value *by) {
        auto node = sums_.extract(value);
        node.key() = by;
        return sums_.insert(std::move(node)).inserted;
    }

    // What its sum says holds wherever the value is used from now on.
    void forget_flags(Value *value) {
        auto *instruction = dyn_cast<Instruction>(value);
        if (!instruction || !sums_.contains(value) || leaves_.contains(value) ||
            !plain_.insert(value).second)
            return;
        instruction->dropPoisonGeneratingFlags();
        for (Value *operand : instruction->operands())
            forget_flags(operand);
    }

private:
    unsigned number(Value *value) {
        auto [known, is_new] = numbers_.try_emplace(value, numbered_.size() + 1);
        if (is_new)
            numbered_.push_back(value);
        return known->second;
    }

    std::optional<Sum> made_of(Value *value) {
        Value *left = nullptr;
        Value *right = nullptr;
        const APInt *constant = nullptr;
        Sum sum;
        if (!is_scalar(value->getType()))
            return std::nullopt;
        if (match(value, m_APInt(constant))) {
            sum.constant = uint64_t(constant->getSExtValue());
        } else if (match(value, m_Add(m_Value(left), m_Value(right)))) {
            sum = of(left);
            sum.add(of(right), 1);
        } else if (match(value, m_Sub(m_Value(left), m_Value(right)))) {
            sum = of(left);
            sum.add(of(right), ~uint64_t(0));
        } else if (match(value, m_Shl(m_Value(left), m_APInt(constant))) && constant->ult(64)) {
            sum.add(of(left), uint64_t(1) << constant->getZExtValue());
        } else if (match(value, m_Mul(m_Value(left), m_Value(right)))) {
            return product(of(left), of(right));
        } else if (auto *address = dyn_cast<GEPOperator>(value)) {
            const unsigned bits = layout_.getIndexTypeSizeInBits(value->getType());
            SmallMapVector<Value *, APInt, 4> indices;
            APInt offset(bits, 0);
            if (!address->collectOffset(layout_, bits, indices, offset))
                return std::nullopt;
            sum = of(address->getPointerOperand());
            for (const auto &[index, scale] : indices) {
                if (index->getType()->getIntegerBitWidth() != bits)
                    return std::nullopt;
                sum.add(of(index), uint64_t(scale.getSExtValue()));
            }
            sum.constant += uint64_t(offset.getSExtValue());
        } else if (auto *phi = dyn_cast<PHINode>(value)) {
            return same_on_all_ways(*phi);
        } else {
            return std::nullopt;
        }
        return sum;
    }

    // x + 32, from where x is not 0, and 32 from where it is.
    std::optional<Sum> same_on_all_ways(PHINode &phi) {
        if (phi.getNumIncomingValues() != 2)
            return std::nullopt;
        for (unsigned i : {0u, 1u}) {
            auto *constant = dyn_cast<ConstantInt>(phi.getIncomingValue(i));
            auto known = sums_.find(phi.getIncomingValue(1 - i));
            BasicBlock *way = phi.getIncomingBlock(i);
            BasicBlock *before = way->getSinglePredecessor();
            if (!constant || constant->getBitWidth() > 64 || !before || known == sums_.end())
                continue;
            const Sum &sum = known->second;
            auto *branch = dyn_cast<BranchInst>(before->getTerminator());
            if (!branch || branch->isUnconditional() || branch->getSuccessor(0) != way ||
                branch->getSuccessor(1) == way || sum.terms.size() != 1 ||
                sum.terms[0].first[1] != 0)
                continue;
            Value *leaf = this->leaf(sum.terms[0].first.back());
            const APInt *at = nullptr;
            const bool never = match(branch->getCondition(), m_Zero());
            if (never || (match(branch->getCondition(),
                                m_SpecificICmp(CmpInst::ICMP_EQ, m_Specific(leaf), m_APInt(at))) &&
                          sum.constant + sum.terms[0].second * uint64_t(at->getSExtValue()) ==
                              uint64_t(constant->getSExtValue())))
                return sum;
        }
        return std::nullopt;
    }

    static std::optional<Sum> product(const Sum &left, const Sum &right) {
        Sum sum;
        for (auto [a, times_a] : left.terms)
            for (auto [b, times_b] : right.terms) {
                SmallVector<unsigned, 6> factors(a.begin(), a.end());
                append_range(factors, b);
                sort(factors);
                Term term;
                if (factors[factors.size() - term.size() - 1] != 0)
                    return std::nullopt;
                copy(ArrayRef(factors).take_back(term.size()), term.begin());
                sum.add(term, times_a * times_b);
            }
        if (right.constant)
            sum.add(left, right.constant);
        if (left.constant)
            sum.add(right, left.constant);
        sum.constant = left.constant * right.constant;
        sum.lost |= sum.terms.empty() && !(left.terms.empty() && right.terms.empty());
        return sum;
    }

    const DataLayout &layout_;
    std::unordered_map<Value *, Sum> sums_;
    DenseMap<Value *, unsigned> numbers_;
    std::vector<Value *> numbered_;
    SmallPtrSet<Value *, 32> leaves_, plain_;
};

class Stepper {
public:
    Stepper(Function &function, const DominatorTree &dominators, const LoopInfo &loops)
        : function_(function), dominators_(dominators), loops_(loops),
          sums_(function.getDataLayout()) {}

    bool run() {
        bool changed = false;
        ReversePostOrderTraversal<Function *> order(&function_);
        for (BasicBlock *block : order)
            for (Instruction &instruction : make_early_inc_range(*block)) {
                Value *left = nullptr;
                const APInt *constant = nullptr;
                Instruction *value = &instruction;
                // A sum with a known part, whose flag would be wrong without its own condition.
                if (match(value, m_DisjointOr(m_Value(left), m_APInt(constant)))) {
                    auto *sum = BinaryOperator::CreateNUWAdd(left, value->getOperand(1), "",
                                                             value->getIterator());
                    sum->setHasNoSignedWrap(true);
                    value = replace(*value, *sum);
                    changed = true;
                }
                if (!may_step(*value)) {
                    if (value->getOpcode() == Instruction::Add)
                        sums_.of(value);
                    continue;
                }
                Instruction *other = from_neighbour(*value);
                if (!other) {
                    remember(*value);
                    continue;
                }
                if (sums_.replace(value, other))
                    remember(*other);
                replace(*value, *other);
                changed = true;
            }
        RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused_);
        return changed;
    }

private:
    static bool may_step(const Instruction &value) {
        return is_scalar(value.getType()) &&
               ((isa<GetElementPtrInst>(value) &&
                 !cast<GetElementPtrInst>(value).hasAllConstantIndices()) ||
                value.getOpcode() == Instruction::Mul ||
                (value.getOpcode() == Instruction::Add && !isa<Constant>(value.getOperand(1))));
    }

    // Of sums with these terms but one, whatever their constants.
    static size_t key(Type *type, const Sum &sum, const Term &but) {
        size_t hash = hash_combine(type);
        for (const auto &[term, times] : sum.terms)
            if (term != but)
                hash = hash_combine(hash, hash_combine_range(term), times);
        return hash;
    }

    // Two sums that differ in one term have one of these in common.
    static SmallVector<size_t, 8> keys(Type *type, const Sum &sum) {
        SmallVector<size_t, 8> keys = {key(type, sum, {})};
        if (sum.terms.size() > 1)
            for (const auto &[term, times] : sum.terms)
                keys.push_back(key(type, sum, term));
        return keys;
    }

    void remember(Instruction &value) {
        for (size_t key : keys(value.getType(), sums_.of(&value)))
            known_[key].push_back(&value);
    }

    // Whether a value can be computed at the end of a block already.
    bool can_rise(const Value *value, const BasicBlock &block, unsigned depth) const {
        auto *instruction = dyn_cast<Instruction>(value);
        if (!instruction || dominators_.dominates(instruction, block.getTerminator()))
            return true;
        return depth > 0 && isa<BinaryOperator, CastInst, GetElementPtrInst>(instruction) &&
               isSafeToSpeculativelyExecute(instruction) &&
               all_of(instruction->operands(),
                      [&](const Use &operand) { return can_rise(operand, block, depth - 1); });
    }

    void rise(Value *value, BasicBlock &block) {
        auto *instruction = dyn_cast<Instruction>(value);
        if (!instruction || dominators_.dominates(instruction, block.getTerminator()))
            return;
        for (Value *operand : instruction->operands())
            rise(operand, block);
        instruction->moveBefore(block.getTerminator()->getIterator());
        instruction->dropPoisonGeneratingFlags();
        instruction->updateLocationAfterHoist();
    }

    // Whether one block can come after the other in the same iteration.
    bool follows(const BasicBlock &block, const BasicBlock &after) const {
        const Loop *loop = loops_.getLoopFor(&block);
        SmallVector<const BasicBlock *, 16> open(successors(&block));
        SmallPtrSet<const BasicBlock *, 16> seen;
        while (!open.empty() && seen.size() < most_blocks) {
            const BasicBlock *next = open.pop_back_val();
            if ((loop && (next == loop->getHeader() || !loop->contains(next))) ||
                !seen.insert(next).second)
                continue;
            if (next == &after)
                return true;
            append_range(open, successors(next));
        }
        return false;
    }

    // Where a value has to be for another one to be made of it; or null.
    BasicBlock *place(Instruction &value, Instruction &other) const {
        BasicBlock *block = value.getParent();
        if (dominators_.dominates(&value, &other))
            return block;
        BasicBlock *common = dominators_.findNearestCommonDominator(block, other.getParent());
        return loops_.getLoopFor(common) == loops_.getLoopFor(block) &&
                       can_rise(&value, *common, most_risen) && follows(*block, *other.getParent())
                   ? common
                   : nullptr;
    }

    // The last value that is there and differs by one term at most, and as is wanted. Parts of
    // loops that are run under conditions of their own share what is computed before.
    Instruction *find(Instruction &where, Type *type, const Sum &sum, ArrayRef<size_t> keys,
                      function_ref<bool(const Sum &difference)> is_wanted) {
        for (size_t key : keys) {
            auto found = known_.find(key);
            if (found == known_.end())
                continue;
            for (Instruction *other : reverse(ArrayRef(found->second).take_back(most_tried))) {
                Sum difference = sum;
                difference.add(sums_.of(other), ~uint64_t(0));
                if (other->getType() != type || difference.terms.size() > 1)
                    continue;
                BasicBlock *block = place(*other, where);
                if (!block || !is_wanted(difference))
                    continue;
                if (block != other->getParent())
                    rise(other, *block);
                return other;
            }
        }
        return nullptr;
    }

    static bool is_zero(const Sum &sum) { return sum.terms.empty() && sum.constant == 0; }

    static ConstantInt *number(IRBuilder<> &builder, const Type *type, uint64_t value) {
        return builder.getInt(APInt(64, value).trunc(type->getIntegerBitWidth()));
    }

    // To be computed before the loop around the value.
    bool is_invariant(const Instruction &value, const Term &step) const {
        const Loop *loop = loops_.getLoopFor(value.getParent());
        return loop && all_of(step, [&](unsigned number) {
                   return !number || loop->isLoopInvariant(sums_.leaf(number));
               });
    }

    // So many steps; null if that takes as long as the value.
    Value *multiple(Instruction &value, const Term &step, uint64_t times) {
        Value *product = sums_.leaf(step.back());
        Type *type = product->getType();
        if (type->isPointerTy())
            return nullptr;
        if (times == 1 && step[1] == 0)
            return product;
        Sum sum;
        sum.add(step, times);
        if (Instruction *known = find(value, type, sum, key(type, sum, {}), is_zero)) {
            sums_.forget_flags(known);
            return known;
        }
        if (!is_invariant(value, step))
            return nullptr;
        IRBuilder<> builder(&value);
        for (unsigned number : ArrayRef(step).drop_back())
            if (number)
                product = builder.CreateMul(product, sums_.leaf(number));
        if (times != 1)
            product = builder.CreateMul(product, number(builder, type, times));
        remember(*cast<Instruction>(product));
        return product;
    }

    // Computed for this value alone.
    static bool is_own(const Value *operand) {
        const Value *shifted = nullptr;
        if (match(operand, m_OneUse(m_Shl(m_Value(shifted), m_ConstantInt()))))
            operand = shifted;
        return isa<Instruction>(operand) && operand->hasOneUse() && !isa<PHINode>(operand);
    }

    // The same, or one addition more or less; or null.
    Instruction *from_neighbour(Instruction &value) {
        const Sum sum = sums_.of(&value);
        if (sums_.is_leaf(&value))
            return nullptr;
        Type *type = value.getType();
        const bool is_pointer = type->isPointerTy();
        const SmallVector<size_t, 8> near = keys(type, sum);
        IRBuilder<> builder(&value);
        // What takes the place of one instruction only is no better.
        const bool is_better =
            value.getOpcode() == Instruction::Mul || any_of(value.operands(), is_own);
        int64_t constant = 0;
        if (Instruction *other = find(value, type, sum, near.front(), [&](const Sum &difference) {
                constant = int64_t(difference.constant);
                return difference.terms.empty() &&
                       (constant == 0 || is_pointer || (is_better && isInt<12>(constant)));
            }))
            return made_of(
                constant == 0 ? other
                : is_pointer  ? builder.CreatePtrAdd(other, builder.getInt64(constant))
                              : builder.CreateAdd(other, number(builder, type, uint64_t(constant))),
                other);
        if (!is_better)
            return nullptr;
        Value *step = nullptr;
        bool up = true;
        Instruction *other = find(value, type, sum, near, [&](const Sum &difference) {
            if (difference.constant != 0 || difference.terms.empty())
                return false;
            const auto &[term, times] = difference.terms.front();
            up = is_pointer || times != ~uint64_t(0);
            step = multiple(value, term, up ? times : 1);
            return step != nullptr;
        });
        if (!other)
            return nullptr;
        return made_of(is_pointer ? builder.CreatePtrAdd(other, step)
                       : up       ? builder.CreateAdd(other, step)
                                  : builder.CreateSub(other, step),
                       other);
    }

    Instruction *made_of(Value *value, Instruction *other) {
        sums_.forget_flags(other);
        return cast<Instruction>(value);
    }

    Instruction *replace(Instruction &value, Instruction &by) {
        by.takeName(&value);
        if (!by.getDebugLoc())
            by.setDebugLoc(value.getDebugLoc());
        value.replaceAllUsesWith(&by);
        for (Value *operand : value.operands())
            if (isa<Instruction>(operand))
                unused_.push_back(operand);
        value.eraseFromParent();
        return &by;
    }

    Function &function_;
    const DominatorTree &dominators_;
    const LoopInfo &loops_;
    Sums sums_;
    std::unordered_map<size_t, SmallVector<Instruction *, 2>> known_;
    SmallVector<WeakTrackingVH, 16> unused_;
};

} // namespace

PreservedAnalyses Steps::run(Function &function, FunctionAnalysisManager &analyses) {
    if (!Stepper(function, analyses.getResult<DominatorTreeAnalysis>(function),
                 analyses.getResult<LoopAnalysis>(function))
             .run())
        return PreservedAnalyses::all();
    PreservedAnalyses preserved;
    preserved.preserveSet<CFGAnalyses>();
    return preserved;
}

} // namespace rivulet::compiler
