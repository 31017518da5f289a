// SPDX-License-Identifier: Apache-2.0
#include "compiler/analysis/affine_expression.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

// Anything deeper in an affine expression becomes a leaf, because operands are visited recursively.
// A limit of the compiler's own stack, not measured.
constexpr unsigned affine_max_depth = 64; // operations

using Term = AffineSum::Term;

namespace {

bool is_number(Meaning meaning) {
    return meaning == Meaning::as_signed || meaning == Meaning::as_unsigned;
}

// Whether the operation has the flag that rules out a wrap.
bool is_exact(const Instruction &operation, Meaning meaning) {
    return meaning == Meaning::as_signed ? operation.hasNoSignedWrap()
                                         : operation.hasNoUnsignedWrap();
}

// The operand of a zext nneg is the same number in either meaning. Takes the meaning in which the
// operand can be taken apart further.
Meaning below_zext(const Instruction &extension) {
    const Value &narrow = *extension.getOperand(0);
    const bool is_signed =
        extension.hasNonNeg() && (affine_step(narrow, Meaning::as_signed).has_value() ||
                                  !affine_step(narrow, Meaning::as_unsigned).has_value());
    return is_signed ? Meaning::as_signed : Meaning::as_unsigned;
}

} // namespace

bool is_scalar(const Type *type) {
    return type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

std::optional<AffineStep> affine_step(const Value &value, Meaning meaning) {
    auto *operation = dyn_cast<Instruction>(&value);
    if (!operation || !value.getType()->isIntegerTy() || !is_scalar(value.getType()) ||
        !(isa<BinaryOperator>(operation) || isa<CastInst>(operation)))
        return std::nullopt;
    Value *left = operation->getOperand(0);
    auto cast = [&](Meaning operand) { return AffineStep{.left = left, .operands = operand}; };
    const bool is_number = compiler::is_number(meaning);
    switch (operation->getOpcode()) {
    case Instruction::SExt:
        if (meaning == Meaning::as_unsigned || meaning == Meaning::ring)
            return std::nullopt;
        return cast(Meaning::as_signed);
    case Instruction::ZExt:
        if (meaning == Meaning::ring)
            return std::nullopt;
        return cast(below_zext(*operation));
    case Instruction::Trunc:
        if (meaning == Meaning::ring || !is_scalar(left->getType()) ||
            (is_number && !is_exact(*operation, meaning)))
            return std::nullopt;
        return cast(meaning);
    case Instruction::Or:
        if (meaning == Meaning::ring || !llvm::cast<PossiblyDisjointInst>(operation)->isDisjoint())
            return std::nullopt;
        return AffineStep{.left = left, .right = operation->getOperand(1), .operands = meaning};
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
        break;
    default:
        return std::nullopt;
    }
    if (is_number && !is_exact(*operation, meaning))
        return std::nullopt;
    AffineStep step{.left = left, .right = operation->getOperand(1), .operands = meaning};
    if (operation->getOpcode() == Instruction::Sub)
        step.right_factor = -1;
    step.is_product = operation->getOpcode() == Instruction::Mul;
    if (operation->getOpcode() != Instruction::Shl)
        return step;
    // 2^63 is not representable as an exact factor.
    auto *by = dyn_cast<ConstantInt>(step.right);
    if (!by || by->getValue().uge(is_number ? 63 : 64) ||
        by->getValue().uge(value.getType()->getIntegerBitWidth()))
        return std::nullopt;
    step.left_factor = int64_t(uint64_t(1) << by->getZExtValue());
    step.right = nullptr;
    return step;
}

bool AffineSum::add(Term term, int64_t factor) {
    auto *at = partition_point(terms, [&](const auto &known) { return known.first < term; });
    if (at == terms.end() || at->first != term)
        at = terms.insert(at, {term, 0});
    int64_t total = 0;
    if (AddOverflow(at->second, factor, total) && is_exact)
        return false;
    at->second = total;
    if (total == 0) {
        terms.erase(at);
        cancelled = true;
    }
    return true;
}

std::optional<AffineSum> AffineSum::combine(AffineSum a, const AffineSum &b, int64_t factor) {
    int64_t times = 0;
    for (auto [term, count] : b.terms)
        if ((MulOverflow(count, factor, times) && a.is_exact) || !a.add(term, times))
            return std::nullopt;
    if ((MulOverflow(b.constant, factor, times) && a.is_exact) ||
        (AddOverflow(a.constant, times, a.constant) && a.is_exact))
        return std::nullopt;
    a.cancelled |= b.cancelled;
    return a;
}

const AffineSum &AffineExpressions::of(Value *value, Meaning meaning) {
    const Key key(value, meaning);
    if (auto known = sums_.find(key); known != sums_.end())
        return known->second;
    ++depth_;
    auto sum = depth_ > affine_max_depth ? std::nullopt : made_of(value, meaning);
    --depth_;
    if (!sum || sum->terms.size() > limits_.terms || (meaning == Meaning::ring && sum->cancelled)) {
        sum = AffineSum{.terms = {{{0, 0, number(value, meaning)}, 1}},
                        .is_exact = is_number(meaning)};
        if (meaning == Meaning::ring)
            ring_leaves_.insert(value);
    }
    return sums_.emplace(key, std::move(*sum)).first->second;
}

uint64_t AffineExpressions::magnitude(const AffineSum &sum) const {
    assert(sum.is_exact);
    uint64_t total = AbsoluteValue(sum.constant);
    for (const auto &[term, factor] : sum.terms) {
        uint64_t most = AbsoluteValue(factor);
        for (unsigned number : term)
            if (number) {
                auto [value, meaning] = leaf(number);
                const unsigned bits =
                    value->getType()->getIntegerBitWidth() - (meaning == Meaning::as_signed);
                most = bits < 64 ? SaturatingMultiply(most, uint64_t(1) << bits) : UINT64_MAX;
            }
        total = SaturatingAdd(total, most);
    }
    return total;
}

bool AffineExpressions::replace(Value *value, Value *by) {
    auto node = sums_.extract(Key(value, Meaning::ring));
    node.key() = Key(by, Meaning::ring);
    return sums_.insert(std::move(node)).inserted;
}

void AffineExpressions::forget_flags(Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !sums_.contains(Key(value, Meaning::ring)) || is_leaf(value) ||
        !plain_.insert(value).second)
        return;
    instruction->dropPoisonGeneratingFlags();
    for (Value *operand : instruction->operands())
        forget_flags(operand);
}

unsigned AffineExpressions::number(Value *value, Meaning meaning) {
    auto [known, is_new] = numbers_.try_emplace(Key(value, meaning), leaves_.size() + 1);
    if (is_new)
        leaves_.push_back({value, meaning});
    return known->second;
}

// Returns nothing if a term would have too many leaves, or if an exact sum overflows.
std::optional<AffineSum> AffineExpressions::product(const AffineSum &left,
                                                    const AffineSum &right) const {
    std::optional<AffineSum> sum = AffineSum{.is_exact = left.is_exact};
    int64_t factor = 0;
    for (auto [a, times_a] : left.terms)
        for (auto [b, times_b] : right.terms) {
            SmallVector<unsigned, 6> leaves(a.begin(), a.end());
            append_range(leaves, b);
            sort(leaves);
            if (leaves[leaves.size() - limits_.leaves - 1] != 0)
                return std::nullopt;
            Term term;
            copy(ArrayRef(leaves).take_back(term.size()), term.begin());
            if ((MulOverflow(times_a, times_b, factor) && sum->is_exact) || !sum->add(term, factor))
                return std::nullopt;
        }
    const bool lost = sum->terms.empty() && !(left.terms.empty() && right.terms.empty());
    if (right.constant)
        sum = AffineSum::combine(std::move(*sum), {.terms = left.terms}, right.constant);
    if (sum && left.constant)
        sum = AffineSum::combine(std::move(*sum), {.terms = right.terms}, left.constant);
    if (!sum || (MulOverflow(left.constant, right.constant, sum->constant) && sum->is_exact))
        return std::nullopt;
    sum->cancelled |= left.cancelled || right.cancelled || (lost && sum->terms.empty());
    return sum;
}

std::optional<AffineSum> AffineExpressions::made_of(Value *value, Meaning meaning) {
    if (!is_scalar(value->getType()) || (limits_.is_leaf && limits_.is_leaf(value)))
        return std::nullopt;
    if (auto *constant = dyn_cast<ConstantInt>(value)) {
        AffineSum sum{.is_exact = is_number(meaning)};
        if (meaning == Meaning::as_unsigned && !constant->getValue().isIntN(63))
            return std::nullopt;
        sum.constant = meaning == Meaning::as_unsigned ? int64_t(constant->getZExtValue())
                                                       : constant->getSExtValue();
        return sum;
    }
    if (auto *address = dyn_cast<GEPOperator>(value); address && !is_number(meaning))
        return this->address(*address, meaning);
    if (auto *phi = dyn_cast<PHINode>(value); phi && meaning == Meaning::ring)
        return same_on_all_ways(*phi);
    auto step = affine_step(*value, meaning);
    if (!step)
        return std::nullopt;
    const AffineSum &left = of(step->left, step->operands);
    if (step->is_product)
        return product(left, of(step->right, step->operands));
    auto sum = AffineSum::combine({.is_exact = is_number(meaning)}, left, step->left_factor);
    return sum && step->right ? AffineSum::combine(std::move(*sum), of(step->right, step->operands),
                                                   step->right_factor)
                              : sum;
}

// Narrow indices are sign-extended, which `ring` can't express.
std::optional<AffineSum> AffineExpressions::address(GEPOperator &address, Meaning meaning) {
    const unsigned bits = layout_.getIndexTypeSizeInBits(address.getType());
    SmallMapVector<Value *, APInt, 4> indices;
    APInt offset(bits, 0);
    if (!is_scalar(address.getType()) || !address.collectOffset(layout_, bits, indices, offset))
        return std::nullopt;
    AffineSum constant{.constant = offset.getSExtValue()};
    auto sum = AffineSum::combine(std::move(constant), of(address.getPointerOperand(), meaning), 1);
    for (const auto &[index, scale] : indices) {
        const unsigned width = index->getType()->getIntegerBitWidth();
        if (width > bits || (width != bits && meaning == Meaning::ring))
            return std::nullopt;
        sum = AffineSum::combine(std::move(*sum),
                                 of(index, width == bits ? meaning : Meaning::as_signed),
                                 scale.getSExtValue());
    }
    return sum;
}

std::optional<AffineSum> AffineExpressions::same_on_all_ways(PHINode &phi) const {
    if (phi.getNumIncomingValues() != 2)
        return std::nullopt;
    for (unsigned i : {0u, 1u}) {
        auto *constant = dyn_cast<ConstantInt>(phi.getIncomingValue(i));
        auto known = sums_.find(Key(phi.getIncomingValue(1 - i), Meaning::ring));
        BasicBlock *incoming = phi.getIncomingBlock(i);
        BasicBlock *before = incoming->getSinglePredecessor();
        if (!constant || constant->getBitWidth() > 64 || !before || known == sums_.end())
            continue;
        const AffineSum &sum = known->second;
        auto *branch = dyn_cast<BranchInst>(before->getTerminator());
        if (!branch || branch->isUnconditional() || branch->getSuccessor(0) != incoming ||
            branch->getSuccessor(1) == incoming || sum.terms.size() != 1 ||
            sum.terms[0].first[1] != 0)
            continue;
        Value *leaf = this->leaf(sum.terms[0].first.back()).value;
        const APInt *at = nullptr;
        const bool never = match(branch->getCondition(), m_Zero());
        if (never || (match(branch->getCondition(),
                            m_SpecificICmp(CmpInst::ICMP_EQ, m_Specific(leaf), m_APInt(at))) &&
                      uint64_t(sum.constant) +
                              uint64_t(sum.terms[0].second) * uint64_t(at->getSExtValue()) ==
                          uint64_t(constant->getSExtValue())))
            return sum;
    }
    return std::nullopt;
}

} // namespace rivulet::compiler
