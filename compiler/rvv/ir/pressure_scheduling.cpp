// SPDX-License-Identifier: Apache-2.0
#include "compiler/rvv/ir/pressure_scheduling.h"

#include <climits>

#include <llvm/IR/Instructions.h>

namespace rivulet::compiler {

using namespace llvm;

// Above, accesses are taken to conflict without asking: each is compared with each.
constexpr size_t alias_max_accesses = 64; // accesses of a block

namespace {

struct Result {
    unsigned most = 0;                 // registers in use
    std::vector<Instruction *> placed; // from the last to the first
};

// Schedules from the last instruction to the first. Keeps the order while at most `enough`
// registers are live, else takes the instruction that adds the fewest live registers; among equals
// the one that was demanded last, so that a chain is finished before another one begins.
Result schedule(LivenessWalk walk, const Dependences &dependences, unsigned enough) {
    Result result{walk.used(), {}};
    auto followers = dependences.followers;
    const auto &order = dependences.order;
    SmallPtrSet<Instruction *, 32> done;
    SmallVector<Instruction *, 32> ready;
    for (Instruction *instruction : order)
        if (followers.lookup(instruction) == 0)
            ready.push_back(instruction);
    size_t last = order.size();
    while (!ready.empty()) {
        while (done.contains(order[last - 1]))
            --last;
        Instruction *chosen = order[last - 1];
        if (enough == depth_first) {
            chosen = ready.back();
        } else if (int(walk.used()) + walk.growth(*chosen) > int(enough)) {
            int least = INT_MAX;
            for (Instruction *other : reverse(ready))
                if (int growth = walk.growth(*other); growth < least) {
                    least = growth;
                    chosen = other;
                }
        }
        result.most = std::max(result.most, walk.pass(*chosen));
        result.placed.push_back(chosen);
        done.insert(chosen);
        ready.erase(find(ready, chosen));
        if (auto found = dependences.before.find(chosen); found != dependences.before.end())
            for (Instruction *earlier : found->second)
                if (--followers[earlier] == 0)
                    ready.push_back(earlier);
    }
    return result;
}

} // namespace

Dependences::Dependences(BasicBlock &block, AliasQueries &aliases) {
    SmallVector<Instruction *, 32> accesses;
    for (Instruction &instruction : block) {
        if (isa<PHINode>(instruction) || instruction.isTerminator())
            continue;
        order.push_back(&instruction);
        for (Value *operand : instruction.operands())
            if (auto *earlier = dyn_cast<Instruction>(operand);
                earlier && earlier->getParent() == &block && !isa<PHINode>(earlier))
                add(earlier, &instruction);
        if (!instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects())
            continue;
        const bool ask = accesses.size() <= alias_max_accesses;
        for (Instruction *earlier : accesses)
            if ((instruction.mayHaveSideEffects() || earlier->mayHaveSideEffects()) &&
                (!ask || aliases.conflict(*earlier, instruction)))
                add(earlier, &instruction);
        accesses.push_back(&instruction);
    }
}

void Dependences::add(Instruction *earlier, Instruction *later) {
    before[later].push_back(earlier);
    ++followers[earlier];
}

std::vector<Instruction *> in_order(const BasicBlock &block, const VectorLiveness &liveness,
                                    const Dependences &dependences, unsigned enough) {
    LivenessWalk end(liveness, block);
    end.pass(*block.getTerminator());
    auto placed = schedule(end, dependences, enough).placed;
    std::reverse(placed.begin(), placed.end());
    return placed;
}

void reorder(BasicBlock &block, const VectorLiveness &liveness, AliasQueries &aliases,
             unsigned enough) {
    Result best{liveness.most_used(block), {}};
    if (best.most <= enough)
        return;
    const Dependences dependences(block, aliases);
    LivenessWalk end(liveness, block);
    end.pass(*block.getTerminator());
    for (unsigned limit : {enough, 0u}) {
        Result result = schedule(end, dependences, limit);
        if (result.most < best.most)
            best = std::move(result);
        if (best.most <= enough)
            break;
    }
    Instruction *next = block.getTerminator();
    for (Instruction *instruction : best.placed) {
        instruction->moveBefore(next->getIterator());
        next = instruction;
    }
}

} // namespace rivulet::compiler
