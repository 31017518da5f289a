// SPDX-License-Identifier: Apache-2.0
#include "compiler/steps.h"

#include <unordered_map>

#include <llvm/ADT/Hashing.h>
#include <llvm/ADT/PostOrderIterator.h>
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
constexpr size_t most_tried = 16; // values of one sum

// A value, or the product of two, by their numbers; 0: none.
using Term = std::pair<unsigned, unsigned>;

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
            sum->add({0, number(value)}, 1);
            leaves_.insert(value);
        }
        return sums_.emplace(value, std::move(*sum)).first->second;
    }
    Value *leaf(unsigned number) const { return numbered_[number - 1]; }

    void replace(Value *value, Value *by) {
        auto node = sums_.extract(value);
        node.key() = by;
        sums_.insert(std::move(node));
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
                sum.terms[0].first.first != 0)
                continue;
            Value *leaf = this->leaf(sum.terms[0].first.second);
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
                if (a.first || b.first)
                    return std::nullopt;
                sum.add({std::min(a.second, b.second), std::max(a.second, b.second)},
                        times_a * times_b);
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
    Stepper(Function &function, const DominatorTree &dominators)
        : function_(function), dominators_(dominators), sums_(function.getDataLayout()) {}

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
                if (Instruction *other = from_neighbour(*value)) {
                    sums_.replace(value, other);
                    value = replace(*value, *other);
                    changed = true;
                }
                known_[key(value->getType(), sums_.of(value))].push_back(value);
            }
        RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused_);
        return changed;
    }

private:
    static bool may_step(const Instruction &value) {
        return is_scalar(value.getType()) &&
               ((isa<GetElementPtrInst>(value) &&
                 !cast<GetElementPtrInst>(value).hasAllConstantIndices()) ||
                ((value.getOpcode() == Instruction::Add || value.getOpcode() == Instruction::Mul) &&
                 !isa<Constant>(value.getOperand(1))));
    }

    // Addresses differ by constants, too.
    static size_t key(Type *type, const Sum &sum) {
        size_t hash = hash_combine(type, type->isPointerTy() ? 0 : sum.constant);
        for (auto [term, times] : sum.terms)
            hash = hash_combine(hash, term.first, term.second, times);
        return hash;
    }

    Instruction *find(const Instruction &value, const Sum &sum) {
        Type *type = value.getType();
        auto found = known_.find(key(type, sum));
        if (found == known_.end())
            return nullptr;
        for (Instruction *other : ArrayRef(found->second).take_front(most_tried)) {
            const Sum &its = sums_.of(other);
            if (other->getType() == type && its.terms == sum.terms &&
                (type->isPointerTy() || its.constant == sum.constant) &&
                (other->getParent() == value.getParent() ||
                 dominators_.dominates(other->getParent(), value.getParent())))
                return other;
        }
        return nullptr;
    }

    // One addition more or less; or null.
    Instruction *from_neighbour(Instruction &value) {
        const Sum sum = sums_.of(&value);
        IRBuilder<> builder(&value);
        const bool is_pointer = value.getType()->isPointerTy();
        if (is_pointer)
            if (Instruction *other = find(value, sum)) {
                const uint64_t constant = sum.constant - sums_.of(other).constant;
                return constant
                           ? made_of(builder.CreatePtrAdd(other, builder.getInt64(constant)), other)
                           : nullptr;
            }
        // What takes the place of one instruction only is no better.
        if (value.getOpcode() != Instruction::Mul &&
            none_of(value.operands(), [](const Use &operand) {
                auto *part = dyn_cast<Instruction>(operand);
                return part && part->hasOneUse() && !isa<PHINode>(part);
            }))
            return nullptr;
        SmallVector<unsigned, 8> steps;
        for (auto [term, times] : sum.terms)
            for (unsigned number : {term.first, term.second})
                if (number && !is_contained(steps, number))
                    steps.push_back(number);
        for (unsigned number : steps)
            for (bool up : {true, false}) {
                Value *step = sums_.leaf(number);
                if (is_pointer ? !up || step->getType()->isPointerTy()
                               : step->getType() != value.getType())
                    continue;
                Sum before = sum;
                before.add(Term(0, number), up ? ~uint64_t(0) : 1);
                Instruction *other = find(value, before);
                if (!other || !dominators_.dominates(step, &value))
                    continue;
                if (is_pointer) {
                    const uint64_t constant = sum.constant - sums_.of(other).constant;
                    if (constant == 0)
                        return made_of(builder.CreatePtrAdd(other, step), other);
                    continue;
                }
                return made_of(up ? builder.CreateAdd(other, step) : builder.CreateSub(other, step),
                               other);
            }
        return nullptr;
    }

    Instruction *made_of(Value *value, Instruction *other) {
        sums_.forget_flags(other);
        return cast<Instruction>(value);
    }

    Instruction *replace(Instruction &value, Instruction &by) {
        by.takeName(&value);
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
    Sums sums_;
    std::unordered_map<size_t, SmallVector<Instruction *, 2>> known_;
    SmallVector<WeakTrackingVH, 16> unused_;
};

} // namespace

PreservedAnalyses Steps::run(Function &function, FunctionAnalysisManager &analyses) {
    if (!Stepper(function, analyses.getResult<DominatorTreeAnalysis>(function)).run())
        return PreservedAnalyses::all();
    PreservedAnalyses preserved;
    preserved.preserveSet<CFGAnalyses>();
    return preserved;
}

} // namespace rivulet::compiler
