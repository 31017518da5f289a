// SPDX-License-Identifier: Apache-2.0
//
// Unrolls short loops of known length completely, before work-items become lanes: private arrays
// that they index become values, and what they step over known offsets. Cautiously (LLVM's level 3
// counts what unrolling simplifies), and not the loops of nests while dead paths index their
// arrays.
//
// LLVM's limit is too low for the loops over an array of accumulators, such as a tile of a matrix
// product, and the array would stay in memory. If unrolling makes all indices of an array constant,
// its loops are unrolled as if the source asked for it.
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(FullUnrollPass);

// Larger arrays don't fit into the vector registers together with the values that they are computed
// from.
constexpr uint64_t promoted_array_max_elements = 32; // elements

// The code of a nest of loops that is unrolled for an array. A limit of code size, not measured.
constexpr uint64_t promoted_array_max_instructions = 1500; // instructions

// The limit for all of these nests in a function together. Without it, twenty loops over one array
// become tens of thousands of instructions, whose values compete for registers. No other value was
// measured.
constexpr uint64_t promoted_arrays_max_instructions = 3000; // instructions

namespace {

class ArrayLoops {
public:
    ArrayLoops(Function &function, LoopInfo &loops, ScalarEvolution &evolution)
        : function_(function), loops_(loops), evolution_(evolution) {}

    void mark() {
        for (Instruction &instruction : function_.getEntryBlock())
            if (auto *array = dyn_cast<AllocaInst>(&instruction))
                mark_loops_of(*array);
    }

private:
    void mark_loops_of(AllocaInst &array) {
        auto *type = dyn_cast<ArrayType>(array.getAllocatedType());
        const auto size = array.getAllocationSize(function_.getDataLayout());
        if (!type || !type->getElementType()->isSingleValueType() || !size ||
            type->getNumElements() > promoted_array_max_elements)
            return;
        SmallPtrSet<Loop *, 8> found;
        if (!are_constant_once_unrolled(array, found) ||
            any_of(found, [&](Loop *loop) { return !may_unroll(*loop); }))
            return;
        uint64_t cost = 0;
        for (Loop *loop : found)
            if (!marked_.contains(loop) &&
                none_of(found, [&](Loop *outer) { return outer != loop && outer->contains(loop); }))
                cost += instructions_unrolled(*loop);
        if (cost > left_)
            return;
        left_ -= cost;
        for (Loop *loop : found)
            if (marked_.insert(loop).second)
                addStringMetadataToLoop(loop, "llvm.loop.unroll.full");
    }

    // Whether all uses are accesses whose addresses only depend on counters; the loops of these.
    bool are_constant_once_unrolled(Instruction &pointer, SmallPtrSet<Loop *, 8> &found) {
        return all_of(pointer.users(), [&](User *user) {
            auto *instruction = cast<Instruction>(user);
            if (auto *store = dyn_cast<StoreInst>(user))
                return store->isSimple() && store->getValueOperand() != &pointer;
            if (auto *load = dyn_cast<LoadInst>(user))
                return load->isSimple();
            if (instruction->isLifetimeStartOrEnd())
                return true;
            return isa<GetElementPtrInst>(user) && is_constant_once_unrolled(*instruction, found) &&
                   are_constant_once_unrolled(*instruction, found);
        });
    }

    bool is_constant_once_unrolled(Instruction &address, SmallPtrSet<Loop *, 8> &found) {
        const SCEV *offset = evolution_.removePointerBase(evolution_.getSCEV(&address));
        return !SCEVExprContains(offset, [&](const SCEV *part) {
            if (auto *counter = dyn_cast<SCEVAddRecExpr>(part))
                found.insert(const_cast<Loop *>(counter->getLoop()));
            return isa<SCEVUnknown, SCEVCouldNotCompute>(part);
        });
    }

    bool may_unroll(Loop &loop) {
        if (findStringMetadataForLoop(&loop, "llvm.loop.unroll.disable") ||
            findStringMetadataForLoop(&loop, "llvm.loop.unroll.count"))
            return false;
        return instructions_unrolled(loop) <= promoted_array_max_instructions;
    }

    // More than the limit if a loop's length isn't known.
    uint64_t instructions_unrolled(Loop &loop) {
        const uint64_t too_many = promoted_array_max_instructions + 1;
        const uint64_t length = evolution_.getSmallConstantTripCount(&loop);
        if (length == 0 || length > too_many)
            return too_many;
        uint64_t total = 0;
        for (Loop *inner : loop)
            total += instructions_unrolled(*inner);
        for (BasicBlock *block : loop.blocks())
            if (loops_.getLoopFor(block) == &loop)
                total += block->size();
        return std::min(total * length, too_many);
    }

    Function &function_;
    LoopInfo &loops_;
    ScalarEvolution &evolution_;
    uint64_t left_ = promoted_arrays_max_instructions;
    SmallPtrSet<Loop *, 8> marked_;
};

} // namespace

PreservedAnalyses FullUnrollPass::run(Function &function, FunctionAnalysisManager &analyses) {
    ArrayLoops(function, analyses.getResult<LoopAnalysis>(function),
               analyses.getResult<ScalarEvolutionAnalysis>(function))
        .mark();
    return createFunctionToLoopPassAdaptor(LoopFullUnrollPass(3)).run(function, analyses);
}

} // namespace rivulet::compiler
