// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_ANALYSIS_BLOCK_HOTNESS_H
#define RIVULET_COMPILER_ANALYSIS_BLOCK_HOTNESS_H

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/ProfDataUtils.h>

#include "compiler/analysis/limits.h"

namespace rivulet::compiler {

// Hardly ever runs, as the compiler knows: a kernel is cold only if its author says so.
inline bool is_cold(const llvm::Function &function) {
    return function.hasLocalLinkage() && function.hasFnAttribute(llvm::Attribute::Cold);
}

// Blocks that every path reaches through an edge that the source marks as hardly ever taken.
using RareBlocks = llvm::SmallPtrSet<const llvm::BasicBlock *, 8>;
inline RareBlocks rare_blocks(const llvm::Function &function) {
    RareBlocks rare;
    auto is_unlikely = [&](const llvm::BasicBlock *from, const llvm::BasicBlock *to) {
        llvm::SmallVector<uint32_t, 2> weights;
        const llvm::Instruction &branch = *from->getTerminator();
        if (!llvm::extractBranchWeights(branch, weights))
            return false;
        uint64_t taken = 0, all = 0;
        for (auto [i, weight] : llvm::enumerate(weights)) {
            all += weight;
            taken += branch.getSuccessor(unsigned(i)) == to ? weight : 0;
        }
        return taken * rare_edge_ratio < all;
    };
    for (const llvm::BasicBlock *block : llvm::ReversePostOrderTraversal(&function))
        if (!llvm::pred_empty(block) &&
            llvm::all_of(llvm::predecessors(block), [&](const llvm::BasicBlock *from) {
                return rare.contains(from) || is_unlikely(from, block);
            }))
            rare.insert(block);
    return rare;
}

} // namespace rivulet::compiler

#endif
