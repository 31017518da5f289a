// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/transform/border_peeling.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/analysis/integer_ranges.h"
#include "compiler/spmd/analysis/entry_rematerialisation.h"
#include "compiler/spmd/transform/mark_ids.h"
#include "compiler/work_items/launch_end.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

// How deep in an index border peeling looks for a sum.
constexpr unsigned border_max_depth = 8; // operations

// A row's interior is peeled if it is bounded by at most so many limits, which are computed before
// the row. Peeling itself: gradient, median and separable filters with clamps take 0.35 to 0.6 of
// the instructions at VLEN 128; the limit was not measured.
constexpr size_t border_max_edges = 12; // limits of a row

// The same with the address sanitizer, whose comparisons with bounds are limits, too.
constexpr size_t border_max_edges_sanitized = 48; // limits of a row

// Comparisons with constants up to this are taken for borders where a row begins, others for
// borders where it ends.
constexpr int64_t border_begin_limit = 32; // work-items

// The absolute value of a limit is at most this, so that sums of limits don't wrap in 64 bits.
// Follows from the arithmetic; not measured.
constexpr int64_t border_max_constant = int64_t(1) << 40; // work-items

// Quotients by constants below this change so often that a row has no interior worth peeling.
constexpr int64_t border_min_divisor = 128; // work-items

namespace {

constexpr int64_t end_of_int = int64_t(1) << 31;

uint64_t largest(const Value &value, const DataLayout &layout) {
    return ValueRanges(layout).of(value).getUnsignedMax().getLimitedValue();
}

// Lanes ask such conditions in a few instructions (codegen/rare_path_tests.cpp), fewer than limits
// of a short row take.
bool leads_to_rare_code(const Instruction &condition, const RareBlocks &rare) {
    return any_of(condition.users(), [&](const User *user) {
        if (auto *branch = dyn_cast<BranchInst>(user))
            return any_of(successors(branch->getParent()),
                          [&](const BasicBlock *to) { return rare.contains(to); });
        return (isa<FreezeInst>(user) || user->getType()->isIntegerTy(1)) && !isa<PHINode>(user) &&
               leads_to_rare_code(*cast<Instruction>(user), rare);
    });
}

} // namespace

// Numbers of 64 bits stay even where they cancel out: range() asks whether they are small, so that
// nothing that they were added to has wrapped.
BorderPeeling::Sum BorderPeeling::sum(const Sum &a, const Sum &b, int64_t factor) const {
    Sum total = a;
    total.constant += factor * b.constant;
    for (const Term &term : b.terms) {
        auto same = llvm::find_if(total.terms, [&](const Term &other) {
            return other.value == term.value && other.is_signed == term.is_signed;
        });
        if (same == total.terms.end())
            total.terms.push_back({term.value, term.is_signed, factor * term.factor});
        else if ((same->factor += factor * term.factor) == 0 &&
                 !values_[term.value]->getType()->isIntegerTy(64))
            total.terms.erase(same);
    }
    llvm::sort(total.terms);
    return total;
}

BorderPeeling::Linear BorderPeeling::sum(const Linear &a, const Linear &b, int64_t factor) const {
    return {a.factor + factor * b.factor, sum(a.least, factor > 0 ? b.least : b.most, factor),
            sum(a.most, factor > 0 ? b.most : b.least, factor), a.exact && b.exact};
}

// Far from a wrap of 64 bits, also as a part of a few sums: the numbers that terms stand for are
// below border_max_constant.
bool BorderPeeling::sane(const Linear &value) {
    auto small = [](const Sum &sum) {
        int64_t factors = 0;
        for (const Term &term : sum.terms)
            factors += std::abs(term.factor);
        return factors < 1 << 16 && std::abs(sum.constant) < border_max_constant;
    };
    return std::abs(value.factor) < 1 << 16 && small(value.least) && small(value.most);
}

// A leaf is uniform for the whole row.
BorderPeeling::Linear BorderPeeling::leaf(Value *value, bool is_signed) {
    // A constant that is far from zero is asked for as a parameter is: no interior is found then.
    if (auto *constant = dyn_cast<ConstantInt>(value)) {
        const int64_t known =
            is_signed ? constant->getSExtValue() : int64_t(constant->getZExtValue());
        if (std::abs(known) < border_max_constant && (is_signed || known >= 0))
            return {0, {known, {}}, {known, {}}};
    }
    if (isa<SExtInst, ZExtInst>(value) && cast<CastInst>(value)->getSrcTy()->isIntegerTy(32))
        return leaf(cast<CastInst>(value)->getOperand(0), isa<SExtInst>(value));
    auto step = is_signed ? affine_step(*value, Meaning::as_signed) : std::nullopt;
    auto *added = step ? dyn_cast_or_null<ConstantInt>(step->right) : nullptr;
    if (added && !step->is_product && added->getValue().getSignificantBits() <= 32) {
        const int64_t constant = step->right_factor * added->getSExtValue();
        Linear sum = leaf(step->left, true);
        sum.least.constant += constant;
        sum.most.constant += constant;
        return sum;
    }
    auto known = llvm::find(values_, value);
    Sum one{0, {{unsigned(known - values_.begin()), is_signed, 1}}};
    if (known == values_.end())
        values_.push_back(value);
    return {0, one, one};
}

std::optional<BorderPeeling::Linear> BorderPeeling::parse(Value *value, bool is_signed,
                                                          unsigned depth) {
    if (depth == border_max_depth ||
        !(value->getType()->isIntegerTy(32) || value->getType()->isIntegerTy(64)))
        return std::nullopt;
    if (auto *constant = dyn_cast<ConstantInt>(value);
        constant && constant->getValue().getSignificantBits() > 40)
        return std::nullopt;
    if (auto *argument = dyn_cast<Argument>(value); argument && argument->getArgNo() == 0)
        return Linear{1, {}, {}};
    if (is_recomputable(value, 1))
        return leaf(value, is_signed);
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction)
        return std::nullopt;
    if (auto *phi = dyn_cast<PHINode>(instruction))
        return iterations(*phi, depth);
    for (auto [known, chosen] : settled_)
        if (known == instruction)
            return parse(chosen, is_signed, depth + 1);
    auto step = affine_step(*value, Meaning::modulo);
    if (!step)
        return std::nullopt;
    if (step->is_product) {
        auto *by = dyn_cast<ConstantInt>(step->right);
        if (!by || by->getValue().slt(0) || by->getValue().sge(16))
            return std::nullopt;
        step->left_factor = by->getSExtValue();
        step->right = nullptr;
    }
    const bool widens = isa<SExtInst, ZExtInst>(value);
    if (uint64_t(step->left_factor) >= 1 << 16 ||
        (widens && !step->left->getType()->isIntegerTy(32)))
        return std::nullopt;
    auto left = parse(step->left, true, depth + 1);
    if (!left || !sane(*left))
        return std::nullopt;
    if (widens) {
        if (!is_exact_in_width(*left, step->operands == Meaning::as_signed))
            return std::nullopt;
        left->exact = true;
        return left;
    }
    Linear total = step->left_factor == 1 ? *left : sum(Linear{}, *left, step->left_factor);
    if (step->right) {
        auto right = parse(step->right, true, depth + 1);
        if (!right || !sane(*right))
            return std::nullopt;
        total = sum(total, *right, step->right_factor);
    } else if (!sane(total)) {
        return std::nullopt;
    }
    // 64 bits: sums of what 32 bits hold
    total.exact &= !isa<TruncInst>(value) && (affine_step(*value, Meaning::as_signed).has_value() ||
                                              value->getType()->isIntegerTy(64));
    return total;
}

// A loop's index, from its first value to its last.
std::optional<BorderPeeling::Linear> BorderPeeling::iterations(PHINode &phi, unsigned depth) {
    // A merge within the loop may be such a series, too: of an index that is 1 where it would be 0.
    auto *series = dyn_cast<SCEVAddRecExpr>(evolution_->getSCEV(&phi));
    if (!series || !series->isAffine() || series->getLoop()->getHeader() != phi.getParent())
        return std::nullopt;
    auto *step = dyn_cast<SCEVConstant>(series->getStepRecurrence(*evolution_));
    const SCEV *trip_count = evolution_->getSymbolicMaxBackedgeTakenCount(series->getLoop());
    if (!step || step->getAPInt().abs().ugt(uint64_t(border_begin_limit)) ||
        isa<SCEVCouldNotCompute>(trip_count))
        return std::nullopt;
    // A _BitInt of the program may count, too.
    const unsigned bits = trip_count->getType()->getScalarSizeInBits();
    if (bits > 32 && bits != 64)
        return std::nullopt;
    // Recomputing the trip count to see whether it is uniform would lose what is known of wraps.
    const bool is_uniform = !SCEVExprContains(trip_count, [](const SCEV *part) {
        auto *unknown = dyn_cast<SCEVUnknown>(part);
        return unknown && !is_recomputable(unknown->getValue(), 1);
    });
    BasicBlock *before = series->getLoop()->getLoopPredecessor();
    Instruction *insert_point = phi.getFunction()->getEntryBlock().getTerminator();
    SCEVExpander expander(*evolution_, "limit", false);
    if (!is_uniform || !before || !expander.isSafeToExpandAt(trip_count, insert_point))
        return std::nullopt;
    auto start = parse(phi.getIncomingValueForBlock(before), true, depth + 1);
    if (!start)
        return std::nullopt;
    Value *count = expander.expandCodeFor(trip_count, trip_count->getType(), insert_point);
    if (!is_recomputable(count, 1))
        return std::nullopt;
    // That of a loop until i == int(n) is nearly endless where n < 0.
    const Linear backedges = leaf(count, false);
    if (!is_exact_in_width(backedges, false))
        return std::nullopt;
    start->exact &= series->hasNoSignedWrap() || phi.getType()->isIntegerTy(64);
    int64_t by = step->getAPInt().getSExtValue();
    Sum &other = by > 0 ? start->most : start->least;
    other = sum(other, backedges.least, by);
    return start;
}

// False if there are too many, or nothing is inside.
bool BorderPeeling::add(bool low, int64_t factor, Sum limit) {
    if (factor == 0 && limit.terms.empty())
        return low ? limit.constant <= 0 : limit.constant > 0;
    if (factor < 0) { // −x ≥ l is x < 1 − l
        low = !low;
        factor = -factor;
        limit = sum({1, {}}, limit, -1);
    }
    if (factor == 1 && limit.terms.empty() &&
        (low ? limit.constant <= 0 : limit.constant >= end_of_int))
        return true; // for all x
    Edge edge{low, factor, std::move(limit.terms)};
    auto [at, is_new] = edges_.emplace(edge, limit.constant);
    at->second = low ? std::max(at->second, limit.constant) : std::min(at->second, limit.constant);
    return edges_.size() <= (is_sanitized_ ? border_max_edges_sanitized : border_max_edges);
}

bool BorderPeeling::at_least(const Linear &value, int64_t low) {
    return add(true, value.factor, sum({low, {}}, value.least, -1));
}

bool BorderPeeling::below(const Linear &value, int64_t high) {
    return add(false, value.factor, sum({high, {}}, value.most, -1));
}

bool BorderPeeling::within(const Linear &value, int64_t low, int64_t high) {
    return at_least(value, low) && below(value, high);
}

// Whether the sum without wraps is the number that is compared.
bool BorderPeeling::is_exact_in_width(const Linear &value, bool is_signed) {
    if (is_signed)
        return value.exact || within(value, -end_of_int, end_of_int);
    // A single leaf that is read as an unsigned number. A sum of such leaves may wrap, and the sign
    // extension of a negative int to size_t is not the number that the int is.
    const Sum &sum = value.least;
    const bool is_unsigned_leaf =
        value.exact && value.factor == 0 && sum == value.most &&
        (sum.terms.empty() ? sum.constant >= 0
                           : sum.terms.size() == 1 && sum.constant == 0 &&
                                 sum.terms[0].factor == 1 && !sum.terms[0].is_signed);
    return is_unsigned_leaf || within(value, 0, end_of_int);
}

// Parts of `inside && inside` hold, those of `outside || outside` don't. Nor do those that lead to
// rare code.
BorderPeeling::Outcome BorderPeeling::likely_outcome(const ICmpInst &compare,
                                                     const RareBlocks &rare) {
    Outcome outcome = Outcome::unknown;
    for (const User *user : compare.users()) {
        if (auto *branch = dyn_cast<BranchInst>(user); branch && compare.hasOneUse()) {
            if (rare.contains(branch->getSuccessor(0)))
                return Outcome::no;
            if (rare.contains(branch->getSuccessor(1)))
                return Outcome::yes;
        }
        Outcome now = match(user, m_LogicalAnd())  ? Outcome::yes
                      : match(user, m_LogicalOr()) ? Outcome::no
                                                   : Outcome::unknown;
        if (now == Outcome::unknown || (outcome != Outcome::unknown && outcome != now))
            return Outcome::unknown;
        outcome = now;
    }
    return outcome;
}

void BorderPeeling::visit(ICmpInst &compare, const RareBlocks &rare) {
    const auto before = edges_;
    const bool is_signed = compare.isSigned() || compare.isEquality();
    auto left = parse(compare.getOperand(0), is_signed);
    auto right = left ? parse(compare.getOperand(1), is_signed) : std::nullopt;
    bool taken = false;
    if (right && left->factor != right->factor) {
        Linear difference = sum(*left, *right, -1);
        // Small limits are where rows begin, others where they end.
        const Linear &limit = left->factor == 0 ? *left : *right;
        bool at_begin = limit.factor == 0 && limit.least.terms.empty() &&
                        std::abs(limit.least.constant) <= border_begin_limit;
        auto predicate = compare.getPredicate();
        bool holds = false;
        if (compare.isEquality()) {
            holds = predicate == CmpInst::ICMP_NE;
            taken = is_exact_in_width(*left, is_signed) && is_exact_in_width(*right, is_signed);
            taken &= (difference.factor > 0) == at_begin ? at_least(difference, 1)
                                                         : below(difference, 0);
        } else {
            bool less = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
            bool strict = CmpInst::isStrictPredicate(predicate);
            bool rises = difference.factor > 0;
            Outcome outcome = likely_outcome(compare, rare);
            holds =
                outcome == Outcome::unknown ? (less == rises) != at_begin : outcome == Outcome::yes;
            // Below a limit of 2^31 at most: that it is no less than 0 makes the sum exact.
            const bool is_capped =
                !is_signed && less == holds && right->factor == 0 && right->least == right->most &&
                largest(*compare.getOperand(1), compare.getDataLayout()) <= uint64_t(end_of_int);
            taken = (is_capped ? at_least(*left, 0) : is_exact_in_width(*left, is_signed)) &&
                    is_exact_in_width(*right, is_signed);
            if (less == holds) // less, or not greater
                taken &= below(difference, holds == strict ? 0 : 1);
            else
                taken &= at_least(difference, holds == strict ? 1 : 0);
        }
        if (taken)
            settled_.emplace_back(&compare, ConstantInt::getBool(compare.getContext(), holds));
    }
    if (!taken)
        edges_ = before;
}

// Between the borders, the result is usually the operand that depends on x.
void BorderPeeling::visit(MinMaxIntrinsic &choice) {
    const auto before = edges_;
    auto left = parse(choice.getLHS(), choice.isSigned());
    auto right = left ? parse(choice.getRHS(), choice.isSigned()) : std::nullopt;
    bool taken = false;
    if (right && (left->factor == 0) != (right->factor == 0)) {
        bool is_left = left->factor != 0;
        const Linear &value = is_left ? *left : *right;
        Linear difference = sum(value, is_left ? *right : *left, -1);
        taken = is_exact_in_width(*left, choice.isSigned()) &&
                is_exact_in_width(*right, choice.isSigned());
        bool is_least = choice.getPredicate() == CmpInst::ICMP_SLT ||
                        choice.getPredicate() == CmpInst::ICMP_ULT;
        taken &= is_least ? below(difference, 1) : at_least(difference, 0);
        if (taken)
            settled_.emplace_back(&choice, is_left ? choice.getLHS() : choice.getRHS());
    }
    if (!taken)
        edges_ = before;
}

// The quotient is the same from one multiple to the next: (x + width − 1) % width is x − 1.
void BorderPeeling::visit(BinaryOperator &division) {
    const auto before = edges_;
    const auto opcode = division.getOpcode();
    const bool is_signed = opcode == Instruction::SRem || opcode == Instruction::SDiv;
    auto value = parse(division.getOperand(0), is_signed);
    auto by = value && value->factor != 0 ? parse(division.getOperand(1), is_signed) : std::nullopt;
    if (!by || by->factor != 0 || by->least != by->most) {
        edges_ = before;
        return;
    }
    bool taken = true;
    if (opcode == Instruction::And) { // that of a power of two
        by->least.constant = ++by->most.constant;
        taken = by->least.terms.empty() && isPowerOf2_64(uint64_t(by->least.constant));
    } else {
        taken = is_exact_in_width(*value, is_signed) && is_exact_in_width(*by, is_signed);
    }
    int64_t quotient = 0;
    if (!by->least.terms.empty()) {
        const Term &term = by->least.terms.front();
        for (const Term &other : value->least.terms)
            if (other.value == term.value && other.is_signed == term.is_signed && term.factor != 0)
                quotient = other.factor / term.factor;
    } else if (taken && by->least.constant > 0 && value->least.constant > 0) {
        quotient = (value->least.constant + by->least.constant / 2) / by->least.constant;
    }
    // x / width alone is that of rows one after the other, not of neighbours.
    bool is_plain = quotient == 0 && value->least.constant == 0;
    bool is_small = by->least.terms.empty() && by->least.constant < border_min_divisor;
    Linear rest = sum(*value, *by, -quotient);
    taken = taken && !is_plain && !is_small && quotient >= 0 && quotient < 16 &&
            at_least(rest, 0) && below(sum(rest, *by, -1), 0);
    if (!taken) {
        edges_ = before;
        return;
    }
    Value *result = ConstantInt::get(division.getType(), uint64_t(quotient));
    if (opcode == Instruction::URem || opcode == Instruction::SRem || opcode == Instruction::And) {
        IRBuilder<> builder(&division);
        Value *divisor = division.getOperand(1);
        if (opcode == Instruction::And)
            divisor = builder.CreateAdd(divisor, ConstantInt::get(divisor->getType(), 1));
        result = division.getOperand(0);
        if (quotient)
            result = builder.CreateSub(
                result, builder.CreateMul(
                            divisor, ConstantInt::get(divisor->getType(), uint64_t(quotient))));
    }
    settled_.emplace_back(&division, result);
}

std::optional<BorderPeeling> BorderPeeling::of(Function &work_item, bool long_rows,
                                               FunctionAnalysisManager &analyses) {
    BorderPeeling interior;
    interior.is_sanitized_ = is_sanitized(work_item);
    interior.evolution_ = &analyses.getResult<ScalarEvolutionAnalysis>(work_item);
    SmallVector<Instruction *> candidates;
    ReversePostOrderTraversal<Function *> order(&work_item);
    const RareBlocks rare = rare_blocks(work_item); // are not worth a limit
    for (BasicBlock *block : order)
        for (Instruction &instruction : *block)
            if (rare.contains(block))
                break;
            else if (!long_rows && leads_to_rare_code(instruction, rare))
                continue;
            else if (isa<ICmpInst, MinMaxIntrinsic>(instruction) || instruction.isIntDivRem() ||
                     instruction.getOpcode() == Instruction::And)
                candidates.push_back(&instruction);
    for (Instruction *candidate : candidates)
        if (auto *compare = dyn_cast<ICmpInst>(candidate))
            interior.visit(*compare, rare);
        else if (auto *choice = dyn_cast<MinMaxIntrinsic>(candidate))
            interior.visit(*choice);
        else
            interior.visit(cast<BinaryOperator>(*candidate));
    for (auto [instruction, value] : interior.settled_)
        if (const DebugLoc &location = instruction->getDebugLoc(); location && location.getLine())
            interior.locations_.push_back(location);
    mark_ids(work_item); // limits may be made of them
    interior.evolution_ = nullptr;
    analyses.clear(work_item, work_item.getName());
    return interior.settled_.empty() ? std::nullopt : std::optional(std::move(interior));
}

void BorderPeeling::apply_assumptions(const ValueToValueMapTy &clone) const {
    for (auto [instruction, value] : settled_) {
        Value *now = isa<Constant>(value) ? value : static_cast<Value *>(clone.lookup(value));
        if (isa<Argument>(value) && !now)
            now = value;
        clone.lookup(instruction)->replaceAllUsesWith(now);
    }
}

bool BorderPeeling::is_apart_from(const Argument &parameter) const {
    return none_of(edges_, [&](const auto &edge) {
        return any_of(edge.first.terms,
                      [&](const Term &term) { return is_made_of(values_[term.value], parameter); });
    });
}

std::pair<Value *, Value *> BorderPeeling::range(IRBuilderBase &builder, Value *begin, Value *end,
                                                 DenseMap<Value *, Value *> &parameters) const {
    Type *wide = builder.getInt64Ty();
    Value *low = builder.CreateZExt(begin, wide);
    Value *high = builder.CreateZExt(end, wide);
    Value *last = high;
    Value *known = builder.getTrue();
    std::map<Term, Value *> terms;
    auto value_of = [&](const Term &term) {
        Value *&value = terms[{term.value, term.is_signed, 1}];
        if (!value) {
            value = recompute(builder, values_[term.value], parameters);
            if (value->getType() != wide) {
                value = term.is_signed ? builder.CreateSExt(value, wide)
                                       : builder.CreateZExt(value, wide);
            } else {
                // A number of 64 bits is near zero on both sides if it is signed, else above it.
                const int64_t below = term.is_signed ? border_max_constant : 0;
                Value *shifted = builder.CreateAdd(value, builder.getInt64(below));
                known = builder.CreateAnd(
                    known,
                    builder.CreateICmpULT(shifted, builder.getInt64(below + border_max_constant)));
            }
        }
        return term.factor == 1
                   ? value
                   : builder.CreateMul(value, ConstantInt::getSigned(wide, term.factor));
    };
    for (const auto &[edge, constant] : edges_) {
        Value *limit = ConstantInt::getSigned(wide, constant);
        for (const Term &term : edge.terms)
            limit = builder.CreateAdd(limit, value_of(term));
        if (edge.factor == 0) {
            Value *holds = edge.low ? builder.CreateICmpSLE(limit, builder.getInt64(0))
                                    : builder.CreateICmpSGT(limit, builder.getInt64(0));
            known = builder.CreateAnd(known, holds);
            continue;
        }
        if (edge.factor != 1) { // the next whole number
            limit = builder.CreateBinaryIntrinsic(Intrinsic::smax, limit, builder.getInt64(0));
            limit = builder.CreateUDiv(
                builder.CreateAdd(limit, builder.getInt64(uint64_t(edge.factor - 1))),
                builder.getInt64(uint64_t(edge.factor)));
        }
        if (edge.low)
            low = builder.CreateBinaryIntrinsic(Intrinsic::smax, low, limit);
        else
            high = builder.CreateBinaryIntrinsic(Intrinsic::smin, high, limit);
    }
    Value *inside = builder.CreateAnd(known, builder.CreateICmpSLT(low, high));
    low = builder.CreateSelect(inside, low, last);
    high = builder.CreateSelect(inside, high, last);
    return {builder.CreateTrunc(low, begin->getType()),
            builder.CreateTrunc(high, begin->getType())};
}

} // namespace rivulet::compiler
