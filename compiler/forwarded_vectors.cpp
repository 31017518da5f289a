// SPDX-License-Identifier: Apache-2.0
#include "compiler/forwarded_vectors.h"

#include <vector>

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/aliases.h"
#include "compiler/vector_liveness.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned comfortable = 24; // registers in use, a mask's included
constexpr size_t most_known = 16;    // stores that are remembered

VPIntrinsic *as_load(Instruction &instruction) {
    return match(&instruction, m_Intrinsic<Intrinsic::vp_load>()) ? cast<VPIntrinsic>(&instruction)
                                                                  : nullptr;
}

// Of all lanes.
VPIntrinsic *as_store(Instruction &instruction) {
    return match(&instruction, m_Intrinsic<Intrinsic::vp_store>(m_Value(), m_Value(), m_AllOnes()))
               ? cast<VPIntrinsic>(&instruction)
               : nullptr;
}

bool covers(const VPIntrinsic &store, const VPIntrinsic &load) {
    Value *stored = store.getVectorLengthParam();
    Value *loaded = load.getVectorLengthParam();
    auto *known = dyn_cast<ConstantInt>(stored);
    auto *wanted = dyn_cast<ConstantInt>(loaded);
    return stored == loaded || (known && wanted && known->getZExtValue() >= wanted->getZExtValue());
}

class Forwarding {
public:
    Forwarding(Function &function, Aliases &aliases) : liveness_(function), aliases_(aliases) {}

    void run(BasicBlock &block) {
        find_used(block);
        SmallVector<VPIntrinsic *, most_known> stores;
        for (Instruction &instruction : make_early_inc_range(block)) {
            if (VPIntrinsic *load = as_load(instruction)) {
                forward(*load, stores);
                continue;
            }
            if (!instruction.mayWriteToMemory())
                continue;
            erase_if(stores,
                     [&](VPIntrinsic *store) { return aliases_.conflict(*store, instruction); });
            if (VPIntrinsic *store = as_store(instruction)) {
                if (stores.size() == most_known)
                    stores.erase(stores.begin());
                stores.push_back(store);
            }
        }
    }

private:
    // Registers behind each instruction.
    void find_used(BasicBlock &block) {
        used_.assign(block.size(), 0);
        masks_ = false;
        places_.clear();
        for (auto [i, instruction] : enumerate(block))
            places_[&instruction] = i;
        LivenessWalk walk(liveness_, block);
        for (Instruction &instruction : reverse(block)) {
            if (isa<PHINode>(instruction))
                break;
            used_[places_.at(&instruction)] = walk.pass(instruction);
            masks_ |= walk.masks() > 0;
        }
    }

    void forward(VPIntrinsic &load, ArrayRef<VPIntrinsic *> stores) {
        for (VPIntrinsic *store : stores) {
            Value *value = store->getArgOperand(0);
            if (store->getMemoryPointerParam() != load.getMemoryPointerParam() ||
                value->getType() != load.getType() || !covers(*store, load))
                continue;
            const size_t from = places_.at(store), to = places_.at(&load);
            const unsigned size = liveness_.size(value);
            const auto between = MutableArrayRef(used_).slice(from, to - from);
            const unsigned enough =
                masks_ ? comfortable - std::min(comfortable, liveness_.largest()) : comfortable;
            if (any_of(between, [&](unsigned used) { return used + size > enough; }))
                return;
            for (unsigned &used : between)
                used += size;
            load.replaceAllUsesWith(value);
            load.eraseFromParent();
            return;
        }
    }

    const VectorLiveness liveness_;
    Aliases &aliases_;
    std::vector<unsigned> used_; // a mask counts as much as the largest vector
    bool masks_ = false;
    DenseMap<const Instruction *, size_t> places_;
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

void forward_vectors(Function &function) {
    if (none_of(function, may_forward))
        return;
    DominatorTree dominators(function);
    Aliases aliases(function, dominators);
    Forwarding forwarding(function, aliases);
    for (BasicBlock &block : function)
        if (may_forward(block))
            forwarding.run(block);
}

} // namespace rivulet::compiler
