// SPDX-License-Identifier: Apache-2.0
//
// What lanes leave a loop with. Where they leave in different iterations, a vector for each phi
// node of the exit keeps the values of those that have left, and each iteration merges new values
// into it. Four rewrites make these vectors narrower, or leave nothing to keep:
//
// - What extensions and addresses are made of leaves the loop instead of them. They are computed
//   behind it, from indices of 32 bits, which take half the registers of addresses.
//
//     loop:                                       loop:
//       %wide = zext i32 %i to i64                  …
//       %p = getelementptr i32, ptr %a, i64 %wide
//     exit:                                 →     exit:
//       %result = phi ptr [%p, %loop]               %i.left = phi i32 [%i, %loop]
//                                                   %wide = zext i32 %i.left to i64
//                                                   %result = getelementptr i32, ptr %a, i64 %wide
//
// - What is computed of a phi node of the header by arithmetic with invariants is computed behind
//   the loop, too, from the phi node, which stops changing for lanes that have left. So there is
//   one vector less in the loop.
//
// - A counter of which only the low bits are used behind the loop leaves it as these bits, or as
//   many as the loop's widest vector has: narrower elements would take a change of vtype in each
//   iteration. All lanes in the loop have the same value of it, so it is truncated as a scalar.
//
// - A comparison of a counter behind the loop moves to the exits, if the conditions on the way to
//   those that lanes take one by one decide it, always in the same way:
//
//     for (i = 0; i < n; ++i) if (found) break;
//     if (i == n) …
//
//   Lanes that break know that i isn't n, and those that don't leave together. So nothing is kept
//   of the counter, of which all lanes have the same value as long as they are in the loop.
//
// All hold for each work-item by itself. An operation behind the loop has the flags that all
// operations in it have. Expects loops with one exit block of their own each, in LCSSA form.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/spmd/analysis/uniformity.h"
#include "compiler/support/block_end_values.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(LoopResultsPass);

namespace {

class LoopResults {
public:
    explicit LoopResults(Function &function)
        : layout_(function.getDataLayout()), dominators_(function), loops_(dominators_),
          uniformity_(function, 1) {}

    bool run() {
        bool changed = false;
        for (Loop *loop : reverse(loops_.getLoopsInPreorder())) {
            BasicBlock *exit = loop->getUniqueExitBlock();
            if (!exit || !loop->hasDedicatedExits())
                continue;
            SmallVector<BasicBlock *> exiting;
            loop->getExitingBlocks(exiting);
            if (all_of(exiting, [&](BasicBlock *block) { return is_uniform_exit(*block); }))
                continue;
            for (PHINode *phi : to_vector(make_pointer_range(exit->phis())))
                changed |= decide(*phi, *loop) || truncate(*phi, *loop) || narrow(*phi, *loop);
        }
        return changed;
    }

private:
    bool is_uniform_exit(const BasicBlock &block) const {
        return isa<BranchInst>(block.getTerminator()) && uniformity_.uniform_branch(block);
    }

    // --- what values are made of leaves instead of them ----------------------------------------

    static bool is_arithmetic(const Instruction &instruction) {
        return isa<TruncInst>(instruction) ||
               (isa<BinaryOperator>(instruction) && !instruction.isIntDivRem());
    }

    // Whether all are a phi node of the header that is a vector; poison is any value.
    bool are_header_phi(ArrayRef<Value *> values, const Loop &loop) const {
        const PHINode *common = nullptr;
        for (const Value *value : values) {
            if (isa<PoisonValue>(value))
                continue;
            auto *phi = dyn_cast<PHINode>(value);
            if (!phi || phi->getParent() != loop.getHeader() || (common && phi != common))
                return false;
            common = phi;
        }
        return common && !uniformity_.uniform(*common);
    }

    // The operations that the values of all edges are results of, equal but for one operand: of the
    // first edge that isn't poison. Null if none may move.
    static Instruction *common_operation(ArrayRef<Value *> values, const Loop &loop,
                                         bool arithmetic, unsigned &operand) {
        Instruction *first = nullptr;
        std::optional<unsigned> differs;
        for (Value *value : values) {
            if (isa<PoisonValue>(value))
                continue;
            auto *instruction = dyn_cast<Instruction>(value);
            if (!instruction || !loop.contains(instruction) ||
                !(isa<GetElementPtrInst, ZExtInst, SExtInst>(instruction) ||
                  (arithmetic && is_arithmetic(*instruction))))
                return nullptr;
            first = first ? first : instruction;
            if (!instruction->isSameOperationAs(first))
                return nullptr;
            for (const auto [i, part] : enumerate(instruction->operands())) {
                if (loop.isLoopInvariant(part) && part == first->getOperand(unsigned(i)))
                    continue;
                if (differs.value_or(unsigned(i)) != i)
                    return nullptr;
                differs = unsigned(i);
            }
        }
        operand = differs.value_or(0);
        return differs ? first : nullptr;
    }

    unsigned width(const Value &value) const {
        return unsigned(layout_.getTypeSizeInBits(value.getType()).getFixedValue());
    }

    static PHINode *existing_phi(PHINode &like, ArrayRef<Value *> values) {
        for (PHINode &phi : like.getParent()->phis())
            if (all_of(enumerate(like.blocks()), [&](const auto &edge) {
                    return phi.getIncomingValueForBlock(edge.value()) == values[edge.index()];
                }))
                return &phi;
        return nullptr;
    }

    struct Step {
        Instruction *original; // of one edge
        unsigned operand;
        SmallVector<Value *> all; // of the edges
    };

    // Replaces the values by what they are made of, as often as possible.
    static void add_steps(SmallVector<Value *> &values, SmallVector<Step, 2> &steps,
                          const Loop &loop, bool arithmetic) {
        unsigned operand = 0;
        while (Instruction *original = common_operation(values, loop, arithmetic, operand)) {
            SmallVector<Value *> parts;
            for (Value *value : values)
                parts.push_back(isa<PoisonValue>(value)
                                    ? PoisonValue::get(original->getOperand(operand)->getType())
                                    : cast<Instruction>(value)->getOperand(operand));
            steps.push_back({original, operand, std::exchange(values, std::move(parts))});
        }
    }

    bool narrow(PHINode &phi, const Loop &loop) const {
        if (phi.use_empty() || !(phi.getType()->isPointerTy() || phi.getType()->isIntegerTy()))
            return false;
        SmallVector<Value *> values(phi.incoming_values());
        SmallVector<Step, 2> steps;
        add_steps(values, steps, loop, /*arithmetic=*/false);
        bool is_better = !steps.empty() && width(*values[0]) < width(phi);
        SmallVector<Value *> of_header = values;
        SmallVector<Step, 2> further = steps;
        add_steps(of_header, further, loop, /*arithmetic=*/true);
        if (further.size() > steps.size() && are_header_phi(of_header, loop) &&
            width(*of_header[0]) <= width(phi)) {
            // One value of all edges is kept in the phi node itself.
            Value *common = *find_if_not(of_header, IsaPred<PoisonValue>);
            values.assign(of_header.size(), common);
            steps = std::move(further);
            is_better = true;
        }
        if (!is_better)
            return false;
        PHINode *narrow = existing_phi(phi, values);
        if (!narrow) {
            narrow = PHINode::Create(values[0]->getType(), phi.getNumIncomingValues(),
                                     phi.getName() + ".left", phi.getIterator());
            narrow->setDebugLoc(phi.getDebugLoc());
            for (auto [value, from] : zip(values, phi.blocks()))
                narrow->addIncoming(value, from);
        }
        Value *result = narrow;
        const auto place = phi.getParent()->getFirstInsertionPt();
        for (const Step &step : reverse(steps)) {
            Instruction *copy = step.original->clone();
            copy->setOperand(step.operand, result);
            for (Value *other : step.all)
                if (!isa<PoisonValue>(other))
                    copy->andIRFlags(other);
            copy->dropUnknownNonDebugMetadata();
            copy->insertBefore(place);
            result = copy;
        }
        SmallVector<WeakTrackingVH> unused(phi.incoming_values());
        phi.replaceAllUsesWith(result);
        phi.eraseFromParent();
        RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
        return true;
    }

    // --- counters that are truncated ----------------------------------------------------------

    // A value of the loop that is the same in all lanes until they leave, one by one.
    bool is_counter(const PHINode &phi, const Loop &loop) const {
        return any_of(zip(phi.incoming_values(), phi.blocks()), [&](auto edge) {
            auto *value = dyn_cast<Instruction>(std::get<0>(edge));
            return value && loop.contains(value) && uniformity_.uniform(*value) &&
                   !is_uniform_exit(*std::get<1>(edge));
        });
    }

    // The widest element of the vectors that the loop loads, keeps or compares. What only addresses
    // are made of may never be a vector.
    unsigned widest_vector(const Loop &loop) const {
        unsigned bits = 0;
        const auto count = [&](const Value &value) {
            const Type *type = value.getType();
            if ((type->isIntegerTy() || type->isFloatingPointTy()) && !uniformity_.uniform(value))
                bits = std::max(bits, width(value));
        };
        for (const BasicBlock *block : loop.blocks())
            for (const Instruction &instruction : *block) {
                if (isa<LoadInst, PHINode>(instruction))
                    count(instruction);
                else if (isa<CmpInst>(instruction))
                    count(*instruction.getOperand(0));
            }
        return bits;
    }

    bool truncate(PHINode &phi, const Loop &loop) const {
        if (!phi.getType()->isIntegerTy() || phi.use_empty() || !is_counter(phi, loop) ||
            !all_of(phi.incoming_values(),
                    [&](const Value *value) { return uniformity_.uniform(*value); }))
            return false;
        unsigned bits = 0;
        for (const User *user : phi.users()) {
            if (!isa<TruncInst>(user))
                return false;
            bits = std::max(bits, user->getType()->getIntegerBitWidth());
        }
        if (bits < 8)
            return false;
        bits = std::max(bits, widest_vector(loop));
        if (!isPowerOf2_32(bits) || bits >= width(phi))
            return false;
        Type *type = IntegerType::get(phi.getContext(), bits);
        auto *narrow = PHINode::Create(type, phi.getNumIncomingValues(), phi.getName() + ".left",
                                       phi.getIterator());
        narrow->setDebugLoc(phi.getDebugLoc());
        BlockEndValues at_ends;
        for (auto [value, from] : zip(phi.incoming_values(), phi.blocks()))
            narrow->addIncoming(
                at_ends.get(from, [&](IRBuilder<> &end) { return end.CreateTrunc(value, type); }),
                from);
        for (User *user : make_early_inc_range(phi.users())) {
            auto *cut = cast<TruncInst>(user);
            cut->replaceAllUsesWith(IRBuilder<>(cut).CreateTrunc(narrow, cut->getType()));
            cut->eraseFromParent();
        }
        phi.eraseFromParent();
        return true;
    }

    // --- comparisons that exits decide --------------------------------------------------------

    // The outcome of a comparison where the block leaves the loop, if conditions on the way decide.
    std::optional<bool> outcome(CmpPredicate predicate, const Value *left, const Value *right,
                                BasicBlock &exiting, const Loop &loop) const {
        for (const DomTreeNode *node = dominators_.getNode(&exiting);
             node && loop.contains(node->getBlock()); node = node->getIDom()) {
            auto *branch = dyn_cast<BranchInst>(node->getBlock()->getTerminator());
            if (!branch || branch->isUnconditional() ||
                branch->getSuccessor(0) == branch->getSuccessor(1))
                continue;
            for (unsigned side : {0u, 1u}) {
                const BasicBlockEdge edge(node->getBlock(), branch->getSuccessor(side));
                const bool is_taken = node->getBlock() == &exiting
                                          ? !loop.contains(branch->getSuccessor(side))
                                          : dominators_.dominates(edge, &exiting);
                if (!is_taken)
                    continue;
                if (const auto found = isImpliedCondition(branch->getCondition(), predicate, left,
                                                          right, layout_, side == 0))
                    return found;
            }
        }
        return std::nullopt;
    }

    // The comparison at each exit: constants at those that lanes take one by one, null where it is
    // a scalar that has to be computed. Nothing if the comparison can't move, or it doesn't pay.
    std::optional<SmallVector<Constant *>> outcomes(const PHINode &phi, const ICmpInst &compare,
                                                    const Loop &loop) const {
        const bool is_left = compare.getOperand(0) == &phi;
        const Value *other = compare.getOperand(is_left ? 1 : 0);
        auto *defined = dyn_cast<Instruction>(other);
        if (defined && !dominators_.properlyDominates(defined->getParent(), loop.getHeader()))
            return std::nullopt;
        SmallVector<Constant *> found;
        Constant *common = nullptr;
        for (auto [value, from] : zip(phi.incoming_values(), phi.blocks())) {
            if (isa<PoisonValue>(value)) {
                found.push_back(PoisonValue::get(compare.getType()));
                continue;
            }
            const auto known =
                outcome(is_left ? compare.getCmpPredicate() : compare.getSwappedCmpPredicate(),
                        value, other, *from, loop);
            Constant *constant = known ? ConstantInt::getBool(compare.getType(), *known) : nullptr;
            found.push_back(constant);
            if (is_uniform_exit(*from)) {
                if (!constant && !(uniformity_.uniform(*value) && uniformity_.uniform(*other)))
                    return std::nullopt;
                continue;
            }
            if (!constant || (common && common != constant))
                return std::nullopt;
            common = constant;
        }
        return found;
    }

    bool decide(PHINode &phi, const Loop &loop) const {
        // A vector is kept of a counter only; vectors in the loop may stay where they are.
        if (!phi.getType()->isIntegerTy() || phi.use_empty() || !is_counter(phi, loop))
            return false;
        SmallVector<std::pair<ICmpInst *, SmallVector<Constant *>>, 2> decided;
        for (User *user : phi.users()) {
            auto *compare = dyn_cast<ICmpInst>(user);
            auto found = compare ? outcomes(phi, *compare, loop) : std::nullopt;
            if (!found)
                return false;
            decided.emplace_back(compare, std::move(*found));
        }
        for (auto &[compare, constants] : decided) {
            auto *outcome = PHINode::Create(compare->getType(), phi.getNumIncomingValues(),
                                            compare->getName(), phi.getIterator());
            outcome->setDebugLoc(phi.getDebugLoc());
            for (auto [value, from, known] : zip(phi.incoming_values(), phi.blocks(), constants)) {
                Value *found = known;
                if (!found) {
                    Instruction *copy = compare->clone();
                    copy->replaceUsesOfWith(&phi, value);
                    copy->insertBefore(from->getTerminator()->getIterator());
                    found = copy;
                }
                outcome->addIncoming(found, from);
            }
            compare->replaceAllUsesWith(outcome);
            compare->eraseFromParent();
        }
        phi.eraseFromParent();
        return true;
    }

    const DataLayout &layout_;
    const DominatorTree dominators_;
    const LoopInfo loops_;
    const Uniformity uniformity_;
};

} // namespace

PreservedAnalyses LoopResultsPass::run(Function &function, FunctionAnalysisManager &) {
    return preserved_unless(LoopResults(function).run());
}

} // namespace rivulet::compiler
