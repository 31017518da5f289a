// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/transform/phi_tree.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/tuning/spmd_transform.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// Nests the edges of a merge block, each from a block of its own.
void nest(BasicBlock &merge, const DominatorTree &dominators) {
    const DomTreeNode *root = dominators.getNode(&merge)->getIDom();
    MapVector<const DomTreeNode *, SmallVector<BasicBlock *, 2>> edges; // by what dominates them
    for (BasicBlock *from : predecessors(&merge)) {
        const DomTreeNode *node = dominators.getNode(from);
        for (const DomTreeNode *each = node; each != root; each = each->getIDom())
            if (!edges.try_emplace(each).second)
                break;
        edges[node].push_back(from);
    }
    SmallVector<const DomTreeNode *> nodes(make_first_range(edges));
    sort(nodes, [](auto *a, auto *b) { return a->getDFSNumIn() > b->getDFSNumIn(); });
    for (const DomTreeNode *node : nodes) {
        auto mine = std::move(edges[node]);
        if (mine.size() > 1)
            mine = {SplitBlockPredecessors(&merge, mine, ".edges")};
        if (node->getIDom() != root)
            append_range(edges[node->getIDom()], mine);
    }
}

} // namespace

void build_phi_trees(Function &function) {
    SmallVector<BasicBlock *> merges;
    for (BasicBlock &block : function)
        if (!block.phis().empty() && pred_size(&block) > tuning::phi_tree_min_edges)
            merges.push_back(&block);
    if (merges.empty())
        return;
    const DominatorTree dominators(function);
    dominators.updateDFSNumbers();
    const LoopInfo loops(dominators);
    for (BasicBlock *merge : merges) {
        SmallPtrSet<BasicBlock *, 16> known;
        if (!loops.isLoopHeader(merge) && all_of(predecessors(merge), [&](BasicBlock *from) {
                return dominators.isReachableFromEntry(from) && known.insert(from).second &&
                       loops.getLoopFor(from) == loops.getLoopFor(merge);
            }))
            nest(*merge, dominators);
    }
}

} // namespace rivulet::compiler
