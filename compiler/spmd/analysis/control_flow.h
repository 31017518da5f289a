// SPDX-License-Identifier: Apache-2.0
//
// How the control flow of a work-item becomes control flow for all lanes together.
//
// A function is taken level by level: the function itself, then the body of each loop. At a level
// a loop inside of it is one node, so that a level is acyclic. A branch that all lanes take the
// same way stays a branch. At a divergent branch the lanes run every node of its region (up to
// where all paths meet again) one after the other under masks: the region is linearised.
//
//        a              a
//       / \             |         the region of a: b, c
//      b   c     →      b  under the mask of a's true lanes
//       \ /             |
//        d              c  under the mask of the others
//                       |
//                       d
//
// A loop is left in one of three ways:
// - by all lanes together: an ordinary loop;
// - by the last lanes first, as in `for (i = x; i < n; i += u)`: an ordinary loop too, in which vl
//   gets smaller;
// - in any order: it runs under a mask of those that are left. Even then an exit that all of
//   these take together is a branch.
#ifndef RIVULET_COMPILER_SPMD_ANALYSIS_CONTROL_FLOW_H
#define RIVULET_COMPILER_SPMD_ANALYSIS_CONTROL_FLOW_H

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include "compiler/spmd/analysis/shrinking_vl_loops.h"
#include "compiler/spmd/analysis/uniformity.h"

namespace rivulet::compiler {

struct RegionNode {
    llvm::BasicBlock *block = nullptr; // of a loop: its header
    llvm::Loop *loop = nullptr;        // a loop inside of the level, or null
    std::vector<unsigned> successors;  // within the level; LoopRegion::end() for exits
    std::vector<unsigned> predecessors;
    unsigned dominator = 0;     // immediate, within the level
    unsigned preorder = 0;      // its number in the dominator tree
    unsigned dominated = 1;     // nodes of its subtree
    unsigned postdominator = 0; // immediate; LoopRegion::end() at the end
    bool predicated = false;    // its region runs under masks
};

struct LoopRegion {
    llvm::Loop *loop = nullptr; // null: the function
    bool masked = false;        // not all lanes below vl may come here
    bool divergent = false;     // lanes leave the loop in different iterations, in any order
    std::optional<ShrinkingVlLoop> shrinking_vl;
    // Blocks with an exit that all remaining lanes take together.
    std::set<const llvm::BasicBlock *> uniform_exits;
    std::vector<RegionNode> nodes; // in topological order, the entry first
    std::map<llvm::BasicBlock *, unsigned> index;

    unsigned end() const { return unsigned(nodes.size()); }
    bool dominates(unsigned a, unsigned b) const;
    bool postdominates(unsigned a, unsigned b) const;
    // Whether the node dominates all later ones in the order.
    bool always_passed(unsigned node) const;
    // The nodes between a branch and its postdominator, in topological order.
    std::vector<unsigned> region(unsigned branch) const;
    // Whether no edge enters the branch's region except from the branch.
    bool single_entry(unsigned branch) const;
};

class ControlFlow {
public:
    // Expects reducible loops with one exit block each, one return, and no switches.
    ControlFlow(llvm::Function &function, llvm::LoopInfo &loops, const Uniformity &uniformity);

    const LoopRegion &level(const llvm::Loop *loop) const { return *levels_.at(loop); }
    // Whether lanes may arrive by different edges: phi nodes there become selects by masks.
    bool is_predicated_merge(const llvm::BasicBlock *block) const {
        return merges_.contains(block);
    }
    // True if some lanes below vl may not come here.
    bool masked(const llvm::BasicBlock *block) const { return masked_.contains(block); }
    bool in_loop(const llvm::BasicBlock *block) const { return loops_.getLoopFor(block); }
    // Exit values that the uniformity analysis takes for uniform. They are, within an iteration,
    // but lanes that leave the loop in different iterations leave with different ones.
    Uniformity::Values divergent_results() const;
    // Why the function can't be vectorised; empty if it can.
    const std::string &obstacle() const { return obstacle_; }

private:
    bool build(llvm::Loop *loop);
    bool is_masked(const llvm::Loop *loop) const;
    bool always_reached(const LoopRegion &level, unsigned node) const;
    void find_nodes(LoopRegion &level);
    void find_dominators(LoopRegion &level);
    void find_predicated(LoopRegion &level);
    void find_merges(const LoopRegion &level);
    void find_masked(const LoopRegion &level);

    llvm::Function &function_;
    llvm::LoopInfo &loops_;
    const Uniformity &uniformity_;
    std::map<const llvm::Loop *, std::unique_ptr<LoopRegion>> levels_;
    llvm::SmallPtrSet<const llvm::BasicBlock *, 16> merges_;
    llvm::SmallPtrSet<const llvm::BasicBlock *, 16> masked_;
    std::string obstacle_;
};

} // namespace rivulet::compiler

#endif
