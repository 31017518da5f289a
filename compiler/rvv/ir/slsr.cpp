// SPDX-License-Identifier: Apache-2.0
//
// Straight-line strength reduction: rewrites (y + 1) * pitch + x as (y * pitch + x) + pitch when
// the latter is available; in general, any sum that differs from an available one by a constant, a
// value, or a loop-invariant expression. The addresses of neighbouring rows are such sums.
//
// LLVM's pass of this name compares bases that scalar evolution has brought to one form. This one
// compares linear expressions of all terms, in two thirds of the time.
#include <unordered_map>

#include <llvm/ADT/Hashing.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(SlsrPass);

// How many earlier values of the same terms are tried as a base. sgemm_tiled and stencil27 build as
// fast as without the pass; the limit was not measured.
constexpr size_t slsr_max_candidates = 16; // values of one sum

// How far is looked for whether one block follows another.
constexpr size_t slsr_max_blocks = 64; // blocks of an iteration

// The longest chain that is hoisted to a common dominator. Hoisting itself: conv3x3 with borders
// -17 % (VLEN 128) and -13 % (512); the limit was not measured.
constexpr unsigned slsr_max_hoisted = 6; // instructions, each made of the next

namespace {

using Sum = AffineSum;
using Term = AffineSum::Term;

class SlsrRewriter {
public:
    SlsrRewriter(Function &function, const DominatorTree &dominators, const LoopInfo &loops)
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
                        sum_of(*value);
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
    const Sum &sum_of(Value &value) { return sums_.of(&value, Meaning::ring); }

    static bool may_step(const Instruction &value) {
        return is_scalar(value.getType()) &&
               ((isa<GetElementPtrInst>(value) &&
                 !cast<GetElementPtrInst>(value).hasAllConstantIndices()) ||
                value.getOpcode() == Instruction::Mul ||
                (value.getOpcode() == Instruction::Add && !isa<Constant>(value.getOperand(1))));
    }

    // Hashes a sum without one of its terms, whatever its constants.
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
        for (size_t key : keys(value.getType(), sum_of(value)))
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
        while (!open.empty() && seen.size() < slsr_max_blocks) {
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

    // The block in which a value has to stand for another one to be made of it; or null.
    BasicBlock *insertion_block(Instruction &value, Instruction &other) const {
        BasicBlock *block = value.getParent();
        if (dominators_.dominates(&value, &other))
            return block;
        BasicBlock *common = dominators_.findNearestCommonDominator(block, other.getParent());
        return loops_.getLoopFor(common) == loops_.getLoopFor(block) &&
                       can_rise(&value, *common, slsr_max_hoisted) &&
                       follows(*block, *other.getParent())
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
            for (Instruction *other :
                 reverse(ArrayRef(found->second).take_back(slsr_max_candidates))) {
                const Sum difference = *Sum::combine(sum, sum_of(*other), -1);
                if (other->getType() != type || difference.terms.size() > 1)
                    continue;
                BasicBlock *block = insertion_block(*other, where);
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
                   return !number || loop->isLoopInvariant(sums_.leaf(number).value);
               });
    }

    // So many steps; null if that takes as long as the value.
    Value *multiple(Instruction &value, const Term &step, int64_t times) {
        Value *product = sums_.leaf(step.back()).value;
        Type *type = product->getType();
        if (type->isPointerTy())
            return nullptr;
        if (times == 1 && step[1] == 0)
            return product;
        const Sum sum{.terms = {{step, times}}};
        if (Instruction *known = find(value, type, sum, key(type, sum, {}), is_zero)) {
            sums_.forget_flags(known);
            return known;
        }
        if (!is_invariant(value, step))
            return nullptr;
        IRBuilder<> builder(&value);
        for (unsigned number : ArrayRef(step).drop_back())
            if (number)
                product = builder.CreateMul(product, sums_.leaf(number).value);
        if (times != 1)
            product = builder.CreateMul(product, number(builder, type, uint64_t(times)));
        remember(*cast<Instruction>(product));
        return product;
    }

    // Computed for this value alone.
    static bool is_own(const Value *operand) {
        if (const auto shifted = affine_step(*operand, Meaning::ring);
            shifted && !shifted->right && operand->hasOneUse())
            operand = shifted->left;
        return isa<Instruction>(operand) && operand->hasOneUse() && !isa<PHINode>(operand);
    }

    // The same, or one addition more or less; or null.
    Instruction *from_neighbour(Instruction &value) {
        const Sum sum = sum_of(value);
        if (sums_.is_leaf(&value))
            return nullptr;
        Type *type = value.getType();
        const bool is_pointer = type->isPointerTy();
        const SmallVector<size_t, 8> near = keys(type, sum);
        IRBuilder<> builder(&value);
        // A replacement of only one instruction gains nothing.
        const bool is_better =
            value.getOpcode() == Instruction::Mul || any_of(value.operands(), is_own);
        int64_t constant = 0;
        if (Instruction *other = find(value, type, sum, near.front(), [&](const Sum &difference) {
                constant = difference.constant;
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
            up = is_pointer || times != -1;
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
    AffineExpressions sums_;
    std::unordered_map<size_t, SmallVector<Instruction *, 2>> known_;
    SmallVector<WeakTrackingVH, 16> unused_;
};

} // namespace

PreservedAnalyses SlsrPass::run(Function &function, FunctionAnalysisManager &analyses) {
    if (!SlsrRewriter(function, analyses.getResult<DominatorTreeAnalysis>(function),
                      analyses.getResult<LoopAnalysis>(function))
             .run())
        return PreservedAnalyses::all();
    PreservedAnalyses preserved;
    preserved.preserveSet<CFGAnalyses>();
    return preserved;
}

} // namespace rivulet::compiler
