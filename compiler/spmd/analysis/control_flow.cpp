// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/analysis/control_flow.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace rivulet::compiler {

using namespace llvm;

bool LoopRegion::dominates(unsigned a, unsigned b) const {
    return nodes[b].preorder - nodes[a].preorder < nodes[a].dominated; // wraps for what is before a
}

bool LoopRegion::postdominates(unsigned a, unsigned b) const {
    while (b < a)
        b = nodes[b].postdominator;
    return a == b;
}

bool LoopRegion::always_passed(unsigned node) const {
    for (unsigned later = node + 1; later < end(); ++later)
        if (!dominates(node, later))
            return false;
    return true;
}

std::vector<unsigned> LoopRegion::region(unsigned branch) const {
    std::vector<bool> inside(nodes.size());
    std::vector<unsigned> found;
    unsigned after = nodes[branch].postdominator;
    for (unsigned n = branch + 1; n < std::min(after, end()); ++n) {
        for (unsigned p : nodes[n].predecessors)
            inside[n] = inside[n] || p == branch || inside[p];
        if (inside[n])
            found.push_back(n);
    }
    return found;
}

bool LoopRegion::single_entry(unsigned branch) const {
    std::vector<unsigned> inside = region(branch);
    return all_of(inside, [&](unsigned n) {
        return all_of(nodes[n].predecessors,
                      [&](unsigned p) { return p == branch || binary_search(inside, p); });
    });
}

ControlFlow::ControlFlow(Function &function, LoopInfo &loops, const Uniformity &uniformity)
    : function_(function), loops_(loops), uniformity_(uniformity) {
    SmallVector<Loop *, 4> inner = loops.getLoopsInPreorder();
    for (Loop *loop : inner)
        if (!loop->getLoopLatch() || !loop->getUniqueExitBlock()) {
            obstacle_ = loop->getUniqueExitBlock() ? "a loop with several back edges"
                                                   : "a loop without an exit";
            return;
        }
    if (!build(nullptr))
        return;
    for (Loop *loop : inner)
        if (!build(loop))
            return;
}

// Whether some lanes may be inactive when the others come to the loop.
bool ControlFlow::is_masked(const Loop *loop) const {
    if (!loop)
        return false;
    const LoopRegion &around = level(loop->getParentLoop());
    if (around.masked || around.divergent)
        return true;
    unsigned node = around.index.at(loop->getHeader());
    for (unsigned n = 0; n < node; ++n)
        if (around.nodes[n].predicated && binary_search(around.region(n), node))
            return true;
    return false;
}

// Whether every lane that doesn't leave the loop in this iteration comes to the node.
bool ControlFlow::always_reached(const LoopRegion &level, unsigned node) const {
    BasicBlock *latch = level.loop->getLoopLatch();
    std::vector<bool> reached(level.end());
    reached[0] = node != 0;
    for (unsigned n = 0; n < level.end(); ++n) {
        if (!reached[n])
            continue;
        const RegionNode &at = level.nodes[n];
        if (at.block == latch || (at.loop && at.loop->contains(latch)))
            return false;
        for (unsigned next : at.successors)
            if (next < level.end() && next != node)
                reached[next] = true;
    }
    return true;
}

// Analyses one level. Two facts depend on each other: which exits all lanes take together, and
// which branches are predicated. An exit in a predicated region that a remaining lane may bypass is
// no such exit, so the level is analysed again without it, until nothing changes.
bool ControlFlow::build(Loop *loop) {
    auto owned = std::make_unique<LoopRegion>();
    LoopRegion &level = *owned;
    level.loop = loop;
    level.masked = is_masked(loop);
    SmallVector<BasicBlock *> exiting;
    if (loop)
        loop->getExitingBlocks(exiting);
    if (any_of(exiting, [&](BasicBlock *block) { return loops_.getLoopFor(block) != loop; })) {
        obstacle_ = "a loop that leaves several loops at once";
        return false;
    }
    for (BasicBlock *block : exiting)
        if (uniformity_.uniform_branch(*block))
            level.uniform_exits.insert(block);
    if (loop && !level.masked && level.uniform_exits.size() + 1 == exiting.size() &&
        is_contained(exiting, loop->getHeader()) &&
        !level.uniform_exits.contains(loop->getHeader()))
        level.shrinking_vl = find_shrinking_vl_loop(*loop, uniformity_);
    for (bool settled = false; !settled;) {
        level.divergent =
            level.uniform_exits.size() + (level.shrinking_vl ? 1 : 0) < exiting.size();
        find_nodes(level);
        if (!obstacle_.empty())
            return false;
        find_dominators(level);
        find_predicated(level);
        // An exit that only some lanes reach isn't taken by all together.
        settled = true;
        for (unsigned n = 0; n < level.end(); ++n)
            if (level.nodes[n].predicated)
                for (unsigned m : level.region(n))
                    if (level.uniform_exits.contains(level.nodes[m].block) &&
                        !level.nodes[m].loop && !always_reached(level, m)) {
                        level.uniform_exits.erase(level.nodes[m].block);
                        level.shrinking_vl.reset();
                        settled = false;
                    }
    }
    find_merges(level);
    find_masked(level);
    levels_[loop] = std::move(owned);
    return true;
}

// Nodes are in reverse post-order. Of a loop's exits, only those that lanes take one by one are
// edges of the level.
void ControlFlow::find_nodes(LoopRegion &level) {
    level.nodes.clear();
    level.index.clear();
    Loop *loop = level.loop;
    BasicBlock *entry = loop ? loop->getHeader() : &function_.getEntryBlock();
    auto inner = [&](BasicBlock *block) -> Loop * {
        Loop *at = loops_.getLoopFor(block);
        while (at && at != loop && at->getParentLoop() != loop)
            at = at->getParentLoop();
        return at == loop ? nullptr : at;
    };
    auto node_block = [&](BasicBlock *block) {
        Loop *at = inner(block);
        return at ? at->getHeader() : block;
    };
    // Null stands for the end of the level.
    auto successors_of = [&](BasicBlock *block) {
        SetVector<BasicBlock *> targets;
        Loop *at = inner(block);
        SmallVector<BasicBlock *> next(successors(block));
        if (at)
            next = {at->getUniqueExitBlock()};
        for (BasicBlock *target : next) {
            if (loop && target == loop->getHeader())
                targets.insert(nullptr);
            else if (loop && !loop->contains(target)) {
                if (level.divergent && !level.uniform_exits.contains(block))
                    targets.insert(nullptr);
            } else {
                targets.insert(node_block(target));
            }
        }
        return targets;
    };
    std::vector<BasicBlock *> post_order;
    SmallPtrSet<BasicBlock *, 16> seen;
    struct Visit {
        BasicBlock *block;
        SmallVector<BasicBlock *> left;
    };
    std::vector<Visit> stack;
    auto visit = [&](BasicBlock *block) {
        if (seen.insert(block).second)
            stack.push_back({block, successors_of(block).takeVector()});
    };
    visit(entry);
    while (!stack.empty()) {
        if (stack.back().left.empty()) {
            post_order.push_back(stack.back().block);
            stack.pop_back();
        } else if (BasicBlock *next = stack.back().left.pop_back_val()) {
            visit(next);
        }
    }
    for (BasicBlock *block : reverse(post_order)) {
        level.index[block] = unsigned(level.nodes.size());
        RegionNode &node = level.nodes.emplace_back();
        node.block = block;
        node.loop = inner(block);
    }
    for (unsigned n = 0; n < level.end(); ++n)
        for (BasicBlock *target : successors_of(level.nodes[n].block)) {
            unsigned to = target ? level.index[target] : level.end();
            if (to <= n) {
                obstacle_ = "irreducible control flow";
                return;
            }
            level.nodes[n].successors.push_back(to);
            if (target)
                level.nodes[to].predecessors.push_back(n);
        }
}

void ControlFlow::find_dominators(LoopRegion &level) {
    auto &nodes = level.nodes;
    for (unsigned n = 1; n < level.end(); ++n) {
        unsigned common = nodes[n].predecessors.front();
        for (unsigned p : nodes[n].predecessors)
            for (unsigned other = p; common != other;)
                if (common > other)
                    common = nodes[common].dominator;
                else
                    other = nodes[other].dominator;
        nodes[n].dominator = common;
    }
    for (unsigned n = level.end(); n-- > 1;)
        nodes[nodes[n].dominator].dominated += nodes[n].dominated;
    std::vector<unsigned> next(level.end(), 1); // of the numbers in a node's subtree
    for (unsigned n = 1; n < level.end(); ++n) {
        const unsigned dominator = nodes[n].dominator;
        nodes[n].preorder = nodes[dominator].preorder + next[dominator];
        next[dominator] += nodes[n].dominated;
    }
    for (unsigned n = level.end(); n-- > 0;) {
        if (nodes[n].successors.empty()) {
            nodes[n].postdominator = level.end();
            continue;
        }
        unsigned common = nodes[n].successors.front();
        for (unsigned s : nodes[n].successors)
            for (unsigned other = s; common != other;)
                if (common < other)
                    common = nodes[common].postdominator;
                else
                    other = nodes[other].postdominator;
        nodes[n].postdominator = common;
    }
}

// The regions of divergent branches are predicated. A uniform branch that leads into the middle of
// such a region is predicated, too.
void ControlFlow::find_predicated(LoopRegion &level) {
    auto &nodes = level.nodes;
    auto exits = [&](const RegionNode &node) {
        return level.loop && any_of(successors(node.block), [&](BasicBlock *target) {
                   return !level.loop->contains(target);
               });
    };
    for (RegionNode &node : nodes)
        node.predicated =
            !node.loop &&
            ((node.successors.size() > 1 && !uniformity_.uniform_branch(*node.block)) ||
             (level.divergent && exits(node) && !level.uniform_exits.contains(node.block)));
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned b = 0; b < level.end(); ++b) {
            if (!nodes[b].predicated)
                continue;
            std::vector<unsigned> inside = level.region(b);
            for (unsigned n : inside)
                for (unsigned p : nodes[n].predecessors) {
                    if (p == b || binary_search(inside, p))
                        continue;
                    unsigned x = b, y = p;
                    while (x != y)
                        (x > y ? x : y) = nodes[x > y ? x : y].dominator;
                    if (!nodes[x].predicated)
                        nodes[x].predicated = changed = true;
                }
        }
    }
}

void ControlFlow::find_merges(const LoopRegion &level) {
    auto add_merge = [&](unsigned n) {
        if (n < level.end() && level.nodes[n].predecessors.size() > 1)
            merges_.insert(level.nodes[n].block);
    };
    for (unsigned b = 0; b < level.end(); ++b) {
        if (!level.nodes[b].predicated)
            continue;
        for (unsigned n : level.region(b))
            add_merge(n);
        add_merge(level.nodes[b].postdominator);
    }
    if (level.divergent || level.shrinking_vl)
        merges_.insert(level.loop->getUniqueExitBlock());
}

void ControlFlow::find_masked(const LoopRegion &level) {
    for (unsigned n = 0; n < level.end(); ++n) {
        if (level.masked || level.divergent)
            masked_.insert(level.nodes[n].block);
        if (level.nodes[n].predicated)
            for (unsigned inside : level.region(n))
                masked_.insert(level.nodes[inside].block);
    }
}

Uniformity::Values ControlFlow::divergent_results() const {
    Uniformity::Values found;
    for (const auto &[loop, level] : levels_) {
        if (!level->divergent && !level->shrinking_vl)
            continue;
        for (PHINode &phi : loop->getUniqueExitBlock()->phis()) {
            auto *value = dyn_cast_or_null<Instruction>(phi.hasConstantValue());
            bool from_before = phi.hasConstantValue() && !(value && loop->contains(value));
            if (!from_before && uniformity_.uniform(phi))
                found.insert(&phi);
        }
    }
    return found;
}

} // namespace rivulet::compiler
