// SPDX-License-Identifier: Apache-2.0
#include "compiler/analysis/linear_expression.h"

#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/tuning/analysis.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

using Sum = LinearExpressions::Sum;
using Term = LinearExpressions::Term;

// None: of more values than a term has.
std::optional<Sum> product(const Sum &left, const Sum &right) {
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

} // namespace

bool is_scalar(const Type *type) {
    return type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

void LinearExpressions::Sum::add(Term term, uint64_t times) {
    auto *at = lower_bound(terms, std::pair(term, uint64_t(0)));
    if (at == terms.end() || at->first != term)
        at = terms.insert(at, {term, 0});
    at->second += times;
    if (at->second != 0)
        return;
    terms.erase(at);
    lost = true;
}

void LinearExpressions::Sum::add(const Sum &other, uint64_t times) {
    for (auto [term, count] : other.terms)
        add(term, count * times);
    constant += other.constant * times;
}

const LinearExpressions::Sum &LinearExpressions::of(Value *value) {
    if (auto known = sums_.find(value); known != sums_.end())
        return known->second;
    auto sum = made_of(value);
    if (!sum || sum->lost || sum->terms.size() > tuning::linear_max_terms) {
        sum = Sum();
        sum->add({0, 0, number(value)}, 1);
        leaves_.insert(value);
    }
    return sums_.emplace(value, std::move(*sum)).first->second;
}

bool LinearExpressions::replace(Value *value, Value *by) {
    auto node = sums_.extract(value);
    node.key() = by;
    return sums_.insert(std::move(node)).inserted;
}

void LinearExpressions::forget_flags(Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !sums_.contains(value) || leaves_.contains(value) ||
        !plain_.insert(value).second)
        return;
    instruction->dropPoisonGeneratingFlags();
    for (Value *operand : instruction->operands())
        forget_flags(operand);
}

unsigned LinearExpressions::number(Value *value) {
    auto [known, is_new] = numbers_.try_emplace(value, numbered_.size() + 1);
    if (is_new)
        numbered_.push_back(value);
    return known->second;
}

std::optional<LinearExpressions::Sum> LinearExpressions::made_of(Value *value) {
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

std::optional<LinearExpressions::Sum> LinearExpressions::same_on_all_ways(PHINode &phi) {
    if (phi.getNumIncomingValues() != 2)
        return std::nullopt;
    for (unsigned i : {0u, 1u}) {
        auto *constant = dyn_cast<ConstantInt>(phi.getIncomingValue(i));
        auto known = sums_.find(phi.getIncomingValue(1 - i));
        BasicBlock *incoming = phi.getIncomingBlock(i);
        BasicBlock *before = incoming->getSinglePredecessor();
        if (!constant || constant->getBitWidth() > 64 || !before || known == sums_.end())
            continue;
        const Sum &sum = known->second;
        auto *branch = dyn_cast<BranchInst>(before->getTerminator());
        if (!branch || branch->isUnconditional() || branch->getSuccessor(0) != incoming ||
            branch->getSuccessor(1) == incoming || sum.terms.size() != 1 ||
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

} // namespace rivulet::compiler
