// SPDX-License-Identifier: Apache-2.0
//
// Where many edges merge, as behind a long chain of `else if`, merges the edges of each branch
// first. Lanes then choose between two values at a time, as soon as both are known. Without this
// pass a merge of n edges keeps n masks and the n values of each phi live until the end.
//
//      a              a
//     / \            / \        .
//    b   c          b   c
//    |  / \    →    |  / \      .
//    | d   e        | d   e
//     \|  /         |  \ /
//       f           |   f.1
//                    \ /
//                     f
//
// Expects two-way branches and loops with dedicated exit blocks. Edges from other loops than the
// merge block's, and several edges from one block, are left alone. Neither values nor the order in
// which branches are decided change.
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(PhiTreesPass);

// Merge blocks with more edges than this become trees. Trees of fewer edges cost more than they
// save (sample_rgba +7 % instructions, sample_red +3 %); a chain of 256 else-ifs compiles in less
// than a second with this limit.
static cl::opt<unsigned> phi_tree_min_edges("rvl-phi-tree-min-edges", cl::Hidden, cl::init(24),
                                            cl::desc("Incoming edges"));

namespace {

// Walks the dominator tree from its leaves to the merge block's immediate dominator. At each node,
// the edges that come from its subtree meet in one new block, and are a single edge of its parent.
// The children of the immediate dominator stay apart: the merge block itself merges those.
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

PreservedAnalyses PhiTreesPass::run(Function &function, FunctionAnalysisManager &) {
    SmallVector<BasicBlock *> merges;
    for (BasicBlock &block : function)
        if (!block.phis().empty() && pred_size(&block) > phi_tree_min_edges)
            merges.push_back(&block);
    if (merges.empty())
        return PreservedAnalyses::all();
    const DominatorTree dominators(function);
    dominators.updateDFSNumbers();
    const LoopInfo loops(dominators);
    for (BasicBlock *merge : merges) {
        SmallPtrSet<BasicBlock *, 16> known;
        if (all_of(predecessors(merge), [&](BasicBlock *from) {
                return dominators.isReachableFromEntry(from) && known.insert(from).second &&
                       loops.getLoopFor(from) == loops.getLoopFor(merge);
            }))
            nest(*merge, dominators);
    }
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
