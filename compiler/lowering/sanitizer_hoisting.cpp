// SPDX-License-Identifier: Apache-2.0
#include "compiler/lowering/sanitizer_hoisting.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/work_items/work_group_builtin_table.h"

namespace rivulet::compiler {

using namespace llvm;

// A comparison with bounds moves out of at most so many nested loops.
constexpr unsigned sanitizer_max_dimensions = 3; // loops

// The largest expression of an index that a comparison before a loop computes.
constexpr unsigned sanitizer_max_expression = 16; // operations

namespace {

// Ids are the same in all iterations.
void take_queries_out_of_loops(Function &kernel) {
    Instruction *insert_point = kernel.getEntryBlock().getTerminator();
    for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
        auto *call = dyn_cast<CallInst>(&instruction);
        const auto builtin = call ? builtin_of(*call) : std::nullopt;
        if (builtin && is_work_item_query(*builtin) &&
            call->getParent() != insert_point->getParent() &&
            all_of(call->args(), [](const Use &operand) { return isa<Constant>(operand); }))
            call->moveBefore(insert_point->getIterator());
    }
}

} // namespace

bool goes_on(const Instruction &instruction) {
    if (auto *call = dyn_cast<CallInst>(&instruction)) {
        if (call->doesNotAccessMemory() || isGuaranteedToTransferExecutionToSuccessor(call))
            return true;
        const auto builtin = builtin_of(*call);
        return builtin && *builtin == Builtin::barrier;
    }
    return isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst, FenceInst>(instruction) ||
           isGuaranteedToTransferExecutionToSuccessor(&instruction);
}

struct CheckHoisting::State {
    DominatorTree dominators;
    LoopInfo loops;
    AssumptionCache assumptions;
    TargetLibraryInfoImpl library;
    TargetLibraryInfo library_of_function;
    std::optional<ScalarEvolution> evolution;
    DenseMap<const Loop *, bool> runs_through;

    explicit State(Function &kernel)
        : dominators(kernel), loops(dominators), assumptions(kernel),
          library(Triple(kernel.getParent()->getTargetTriple())), library_of_function(library) {
        for (Loop *loop : loops)
            simplifyLoop(loop, &dominators, &loops, nullptr, &assumptions, nullptr, false);
        evolution.emplace(kernel, library_of_function, assumptions, dominators, loops);
    }

    // True if every iteration runs to completion.
    bool is_run_through(const Loop &loop) {
        auto [known, is_new] = runs_through.try_emplace(&loop, true);
        if (!is_new)
            return known->second;
        bool result = all_of(loop.blocks(), [](BasicBlock *block) {
            return all_of(*block, [](const Instruction &instruction) {
                return instruction.isTerminator() || goes_on(instruction);
            });
        });
        for (const Loop *inner : loop.getSubLoops())
            result = result && is_run_through(*inner) &&
                     !isa<SCEVCouldNotCompute>(evolution->getSymbolicMaxBackedgeTakenCount(inner));
        return runs_through[&loop] = result;
    }
};

CheckHoisting::CheckHoisting(Function &kernel) {
    take_queries_out_of_loops(kernel);
    state_ = std::make_unique<State>(kernel);
}
CheckHoisting::~CheckHoisting() = default;

bool CheckHoisting::dominates(const Instruction *a, const Instruction *b) const {
    return state_->dominators.dominates(a, b);
}

std::optional<HoistedCheck> CheckHoisting::hoist(Instruction *insert_point, Value *index) {
    ScalarEvolution &evolution = *state_->evolution;
    if (!evolution.isSCEVable(index->getType()))
        return std::nullopt;
    struct Plan {
        BasicBlock *block;
        const SCEV *start;
        SmallVector<std::pair<const SCEV *, const SCEV *>, 2> dimensions; // step, last
        SmallVector<const SCEV *, 2> counts;                              // must not be zero
    };
    SCEVExpander expander(evolution, "check", false);
    Plan plan{insert_point->getParent(), evolution.getSCEV(index), {}, {}};
    std::optional<Plan> best;
    for (Loop *loop = state_->loops.getLoopFor(plan.block); loop; loop = loop->getParentLoop()) {
        BasicBlock *latch = loop->getLoopLatch(), *exit = loop->getExitingBlock(),
                   *before = loop->getLoopPreheader();
        if (!latch || !exit || !before || !state_->dominators.dominates(plan.block, latch) ||
            !state_->is_run_through(*loop))
            break;
        const SCEV *count = evolution.getExitCount(loop, exit);
        if (isa<SCEVCouldNotCompute>(count) || !evolution.isLoopInvariant(count, loop) ||
            evolution.getTypeSizeInBits(count->getType()) > 64)
            break;
        if (!all_of(plan.dimensions,
                    [&](auto &dimension) {
                        return evolution.isLoopInvariant(dimension.first, loop) &&
                               evolution.isLoopInvariant(dimension.second, loop);
                    }) ||
            !all_of(plan.counts,
                    [&](const SCEV *known) { return evolution.isLoopInvariant(known, loop); }))
            break;
        const SCEV *last = count;
        if (!state_->dominators.dominates(plan.block, exit)) {
            last = evolution.getMinusSCEV(count, evolution.getOne(count->getType()));
            if (!evolution.isKnownNonZero(count))
                plan.counts.push_back(count);
        }
        if (!evolution.isLoopInvariant(plan.start, loop)) {
            auto *series = dyn_cast<SCEVAddRecExpr>(plan.start);
            if (!series || !series->isAffine() || series->getLoop() != loop ||
                plan.dimensions.size() == sanitizer_max_dimensions)
                break;
            plan.dimensions.push_back({series->getStepRecurrence(evolution), last});
            plan.start = series->getStart();
        }
        plan.block = before;
        Instruction *end = before->getTerminator();
        const auto is_cheap = [&](const SCEV *value) {
            return value->getExpressionSize() <= sanitizer_max_expression &&
                   !SCEVExprContains(value,
                                     [](const SCEV *part) { return isa<SCEVUDivExpr>(part); }) &&
                   expander.isSafeToExpandAt(value, end);
        };
        if (is_cheap(plan.start) && all_of(plan.counts, is_cheap) &&
            all_of(plan.dimensions, [&](auto &dimension) {
                return is_cheap(dimension.first) && is_cheap(dimension.second);
            }))
            best = plan;
    }
    if (!best)
        return std::nullopt;
    HoistedCheck check;
    check.insert_point = best->block->getTerminator();
    const auto expand = [&](const SCEV *value) {
        return expander.expandCodeFor(value, value->getType(), check.insert_point);
    };
    check.start = expand(best->start);
    for (auto [step, last] : best->dimensions)
        check.dimensions.push_back({expand(step), expand(last)});
    for (const SCEV *count : best->counts) {
        Value *value = expand(count);
        check.guards.push_back(new ICmpInst(check.insert_point->getIterator(), CmpInst::ICMP_NE,
                                            value, ConstantInt::get(value->getType(), 0)));
    }
    return check;
}

} // namespace rivulet::compiler
