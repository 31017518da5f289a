// SPDX-License-Identifier: Apache-2.0
//
// Replaces loads of vectors that were stored in the same block by the stored value, as long as
// registers suffice. LLVM's GVN forwards stores to loads, but no vp.store to a vp.load. If a whole
// work-group is one strip, its work-items often read back what they have just put into local
// memory.
//
// Forwarding extends the live range of the stored vector up to the load. A block that has hardly
// any registers left would spill the vector for it, which is the same round trip with more
// instructions, so the pass counts the registers in use between the two and gives up if they don't
// last. It forwards nothing across an access that may conflict, nor across fences.
#include <vector>

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/analysis/alias_queries.h"
#include "compiler/analysis/limits.h"
#include "compiler/rvv/ir/vector_liveness.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(VpForwardingPass);

// Stores of a block that are remembered for loads behind them. Forwarding itself: reduction 45 ->
// 37 instructions in its loop at VLEN 512, syrk 0.89; the limit was not measured.
constexpr size_t forwarded_max_stores = 16; // stores

namespace {

VPIntrinsic *as_load(Instruction &instruction) {
    return match(&instruction, m_Intrinsic<Intrinsic::vp_load>()) ? cast<VPIntrinsic>(&instruction)
                                                                  : nullptr;
}

// An unmasked vp.store; null for others.
VPIntrinsic *as_store(Instruction &instruction) {
    return match(&instruction, m_Intrinsic<Intrinsic::vp_store>(m_Value(), m_Value(), m_AllOnes()))
               ? cast<VPIntrinsic>(&instruction)
               : nullptr;
}

// Whether the store writes all lanes that the load reads, of which both begin at the same address.
bool covers(const VPIntrinsic &store, const VPIntrinsic &load) {
    Value *stored = store.getVectorLengthParam();
    Value *loaded = load.getVectorLengthParam();
    auto *known = dyn_cast<ConstantInt>(stored);
    auto *wanted = dyn_cast<ConstantInt>(loaded);
    return stored == loaded || (known && wanted && known->getZExtValue() >= wanted->getZExtValue());
}

class Forwarding {
public:
    Forwarding(Function &function, AliasQueries &aliases)
        : liveness_(function), aliases_(aliases) {}

    void run(BasicBlock &block) {
        find_used(block);
        SmallVector<Stored, forwarded_max_stores> stores;
        size_t next = 0;
        for (Instruction &instruction : make_early_inc_range(block)) {
            const size_t index = next++;
            if (VPIntrinsic *load = as_load(instruction)) {
                forward(*load, index, stores);
                continue;
            }
            if (!instruction.mayWriteToMemory())
                continue;
            erase_if(stores, [&](const Stored &stored) {
                return aliases_.conflict(*stored.store, instruction);
            });
            if (VPIntrinsic *store = as_store(instruction)) {
                if (stores.size() == forwarded_max_stores)
                    stores.erase(stores.begin());
                stores.push_back({store, index});
            }
        }
    }

private:
    struct Stored {
        VPIntrinsic *store;
        size_t index; // in the block, as it was
    };

    // Counts the registers in use at each instruction, and how many the block may use. A mask takes
    // v0, and with it the first group of the size of the largest vector.
    void find_used(BasicBlock &block) {
        size_t index = block.size();
        used_.assign(index, 0);
        enough_ = comfortable_vector_registers;
        LivenessWalk walk(liveness_, block);
        for (Instruction &instruction : reverse(block)) {
            if (isa<PHINode>(instruction))
                break;
            used_[--index] = walk.pass(instruction);
            if (walk.masks() > 0)
                enough_ = comfortable_vector_registers -
                          std::min(comfortable_vector_registers, liveness_.largest());
        }
    }

    void forward(VPIntrinsic &load, size_t to, ArrayRef<Stored> stores) {
        for (auto [store, from] : stores) {
            Value *value = store->getArgOperand(0);
            if (store->getMemoryPointerParam() != load.getMemoryPointerParam() ||
                value->getType() != load.getType() || !covers(*store, load))
                continue;
            const unsigned size = liveness_.size(value);
            const auto between = MutableArrayRef(used_).slice(from, to - from);
            if (any_of(between, [&](unsigned used) { return used + size > enough_; }))
                return;
            for (unsigned &used : between)
                used += size;
            load.replaceAllUsesWith(value);
            load.eraseFromParent();
            return;
        }
    }

    const VectorLiveness liveness_;
    AliasQueries &aliases_;
    std::vector<unsigned> used_;
    unsigned enough_ = comfortable_vector_registers;
};

bool may_forward(BasicBlock &block) {
    bool stored = false;
    for (Instruction &instruction : block) {
        if (stored && as_load(instruction))
            return true;
        stored |= as_store(instruction) != nullptr;
    }
    return false;
}

} // namespace

PreservedAnalyses VpForwardingPass::run(Function &function, FunctionAnalysisManager &) {
    if (none_of(function, may_forward))
        return PreservedAnalyses::none();
    DominatorTree dominators(function);
    AliasQueries aliases(function, dominators);
    Forwarding forwarding(function, aliases);
    for (BasicBlock &block : function)
        if (may_forward(block))
            forwarding.run(block);
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
