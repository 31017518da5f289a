// SPDX-License-Identifier: Apache-2.0
//
// Loops. All lanes leave an ordinary loop together. In the other loops, the values that a lane
// leaves with must not change while the rest goes on.
#include <numeric>

#include <llvm/ADT/MapVector.h>

#include "compiler/analysis/limits.h"
#include "compiler/spmd/codegen/row_codegen_internal.h"

namespace rivulet::compiler {

using namespace llvm;

// Iterations of a masked loop between two tests whether a lane is left.
constexpr unsigned masked_loop_unroll = 2; // iterations

// An innermost loop up to this size is unrolled small_loop_unroll times.
constexpr unsigned small_loop_max_instructions = 18; // instructions, without indices and addresses

// How often small inner loops are unrolled.
constexpr unsigned small_loop_unroll = 8; // copies

namespace {

// Without indices, addresses and the like.
unsigned size_of(const Loop &loop) {
    unsigned size = 0;
    for (BasicBlock *block : loop.blocks())
        for (Instruction &instruction : *block)
            size += !isa<PHINode, GetElementPtrInst, CastInst>(instruction) &&
                    !instruction.isDebugOrPseudoInst();
    return size;
}

Nodes all_nodes(const LoopRegion &level) {
    Nodes nodes(level.end());
    std::iota(nodes.begin(), nodes.end(), 0u);
    return nodes;
}

} // namespace

// Merges: `value` for the first `length` lanes, `otherwise` for the rest.
Value *RowCodegen::merged(Value *length, Value *value, Value *otherwise) {
    if (value == otherwise)
        return value;
    return builder_.CreateIntrinsic(Intrinsic::vp_merge, {value->getType()},
                                    {widener_.all_lanes(), value, otherwise, length});
}

// Returns the values for the exit block's phi nodes.
//
// Lanes leave a divergent loop in any order: `live` is the mask of those that are left, and the
// loop ends when it is empty. They leave a loop with shrinking VL from the last one on: `length` is
// the number of those that are left. A lane's exit values are kept in the header's phi nodes, which
// then stop changing for that lane, or in additional phi nodes (`aside`); classify_results()
// chooses.
SmallVector<Value *, 4> RowCodegen::emit_loop(const LoopRegion &level, Value *mask,
                                              const SmallVector<Value *, 4> &entering) {
    if (!level.divergent && !level.shrinking_vl)
        return emit_ordinary_loop(level, mask, entering);
    BasicBlock *header = level.loop->getHeader();
    BasicBlock *before = builder_.GetInsertBlock();
    BasicBlock *head = new_block(header->getName());
    BasicBlock *after = new_block(header->getName() + ".exit");
    Value *length = widener_.active.length;
    builder_.CreateBr(head);
    builder_.SetInsertPoint(head);
    auto phi = [&](Value *first, const Twine &name) {
        PHINode *created = builder_.CreatePHI(first->getType(), 2, name);
        created->addIncoming(first, before);
        return created;
    };
    Iteration iteration;
    for (auto [created, value] : zip(create_phis(header), entering)) {
        created->addIncoming(value, before);
        iteration.header.push_back(created);
    }
    Results results = classify_results(level, iteration.header);
    for (auto [result, exit_phi] : zip(results, level.loop->getUniqueExitBlock()->phis()))
        if (result.kind == ExitValue::aside) {
            result.index = unsigned(iteration.aside.size());
            builder_.SetInsertPoint(before->getTerminator());
            Value *usual = result.usual ? widener_.vector(result.usual)
                                        : PoisonValue::get(widener_.vector_of(exit_phi.getType()));
            builder_.SetInsertPoint(head);
            iteration.aside.push_back(phi(usual, "aside"));
        }
    iteration.put_aside.resize(iteration.aside.size());
    if (level.divergent)
        iteration.live = repair_.mask(phi(as_mask(mask), "live"));
    else
        iteration.length = phi(length, "length");
    // Instructions of a header before its exit (or the whole body of a do loop) run for the lanes
    // that are left, not for all that entered the loop.
    if (level.shrinking_vl)
        widener_.active.length = iteration.length;
    const Iteration first = iteration;

    SmallVector<IncomingEdge> leaves;
    for (unsigned left = may_run_empty(level) ? masked_loop_unroll : 1; left > 0; --left) {
        set_phis(header, iteration.header);
        RegionState scope(level);
        scope.header = level.divergent ? nullptr : new_block("next");
        scope.exit = after;
        scope.iteration = &iteration;
        scope.results = &results;
        scope.leaves = &leaves;
        scope.all_enter = !mask;
        scope.perhaps_empty = iteration.live && iteration.live != first.live;
        scope.exact_exits = any_of(results, [](const ExitValue &result) {
            return result.kind == ExitValue::aside && result.usual;
        });
        emit_branches(scope, all_nodes(level), level.divergent ? iteration.live : mask);
        if (scope.header)
            builder_.SetInsertPoint(scope.header);
        iteration = next_iteration(scope);
        if (level.divergent && left == 1)
            leaves.push_back({nullptr, nullptr, results_of(scope)});
    }
    BasicBlock *tail = builder_.GetInsertBlock();
    auto close = [&](Value *created, Value *value) {
        cast<PHINode>(created)->addIncoming(value, tail);
    };
    for (auto [created, value] : zip(first.header, iteration.header))
        close(created, value);
    for (auto [created, value] : zip(first.aside, iteration.aside))
        close(created, value);
    if (level.divergent) {
        close(first.live, iteration.live);
        leaves.back().from = tail;
        builder_.CreateCondBr(widener_.any(iteration.live), head, after);
    } else {
        close(first.length, iteration.length);
        builder_.CreateBr(head);
    }
    builder_.SetInsertPoint(after);
    widener_.active.length = length;
    return merge(level.loop->getUniqueExitBlock(), leaves);
}

SmallVector<Value *, 4> RowCodegen::emit_ordinary_loop(const LoopRegion &level, Value *mask,
                                                       const SmallVector<Value *, 4> &entering) {
    BasicBlock *header = level.loop->getHeader();
    BasicBlock *before = builder_.GetInsertBlock();
    BasicBlock *head = new_block(header->getName());
    BasicBlock *after = new_block(header->getName() + ".exit");
    builder_.CreateBr(head);
    builder_.SetInsertPoint(head);
    auto phis = create_phis(header);
    for (auto [phi, value] : zip(phis, entering))
        phi->addIncoming(value, before);
    set_phis(header, SmallVector<Value *, 4>(phis.begin(), phis.end()));

    RegionState scope(level);
    scope.header = head;
    scope.exit = after;
    emit_branches(scope, all_nodes(level), mask);
    for (const IncomingEdge &edge : scope.back) {
        for (auto [phi, value] : zip(phis, edge.values))
            phi->addIncoming(value, edge.from);
        if (level.loop->isInnermost() && size_of(*level.loop) <= small_loop_max_instructions)
            unroll(*edge.from->getTerminator(), small_loop_unroll);
    }
    builder_.SetInsertPoint(after);
    return merge(level.loop->getUniqueExitBlock(), scope.exits);
}

// Chooses where the exit values of lanes that have left are kept: nowhere if all that leave by
// themselves leave with the same value from before the loop; in a header phi node if that value, or
// the one that it gets next, is the exit value; otherwise aside. A phi node can hold only one of
// these two.
Results RowCodegen::classify_results(const LoopRegion &level, ArrayRef<Value *> header) const {
    Loop *loop = level.loop;
    SmallVector<PHINode *> originals;
    for (PHINode &phi : loop->getHeader()->phis()) {
        Kinds wanted = kinds(strides_.of(&phi));
        originals.append(wanted.first + wanted.all, &phi);
    }
    SmallVector<ExitValue::Kind> held(header.size(), ExitValue::aside);
    Results results;
    for (PHINode &phi : loop->getUniqueExitBlock()->phis()) {
        ExitValue &result = results.emplace_back();
        Value *value = phi.hasConstantValue();
        auto *inside = dyn_cast_or_null<Instruction>(value);
        if (value && !(inside && loop->contains(inside))) {
            result.kind = ExitValue::outside;
            result.usual = value;
            continue;
        }
        if (!value && level.divergent)
            find_usual(level, phi, result);
        for (unsigned h = 0; value && h < header.size(); ++h) {
            if (!is_vector(header[h]))
                continue;
            ExitValue::Kind kind = ExitValue::aside;
            if (originals[h] == value)
                kind = ExitValue::header;
            else if (level.divergent &&
                     originals[h]->getIncomingValueForBlock(loop->getLoopLatch()) == value)
                kind = ExitValue::next;
            if (kind == ExitValue::aside || (held[h] != ExitValue::aside && held[h] != kind))
                continue;
            held[h] = result.kind = kind;
            result.index = h;
            break;
        }
    }
    return results;
}

// Finds the value from before the loop that lanes leave with by most of the exits that they take
// one by one. Where it is the value of all of these exits, no lane's result has to be kept.
// Otherwise it is aside from the beginning, and only other values are merged with it; the masks of
// exits have to be exact then.
void RowCodegen::find_usual(const LoopRegion &level, const PHINode &phi, ExitValue &result) const {
    unsigned exits = 0;
    MapVector<Value *, unsigned> found;
    for (auto [value, from] : zip(phi.incoming_values(), phi.blocks())) {
        if (level.uniform_exits.contains(from) || isa<UndefValue>(value))
            continue;
        ++exits;
        auto *inside = dyn_cast<Instruction>(value);
        if (!inside || !level.loop->contains(inside))
            ++found[value];
    }
    if (exits == 0)
        result.usual = PoisonValue::get(phi.getType());
    unsigned most = 0;
    for (auto [value, times] : found)
        if (times > most) {
            most = times;
            result.usual = value;
        }
    if (most == exits)
        result.kind = ExitValue::outside;
}

// Whether an iteration without any active lane does no harm and costs little. No branch skips code
// in it, so uniform values are computed as if a lane were active. Rare blocks are behind branches
// even if they are small: what they compute would be poison then, and a branch on it undefined.
bool RowCodegen::may_run_empty(const LoopRegion &level) const {
    if (!level.divergent || should_guard(level, ArrayRef(all_nodes(level)).drop_front()))
        return false;
    size_t size = 0;
    for (const RegionNode &node : level.nodes) {
        if (node.loop || rare_.contains(node.block))
            return false;
        for (Instruction &instruction : *node.block)
            if (widener_.unsafe_with_empty_mask(instruction) || instruction.mayWriteToMemory())
                return false;
        size += node.block->sizeWithoutDebug();
    }
    return size <= tiny_body_max_instructions;
}

// The values with which the next iteration starts.
Iteration RowCodegen::next_iteration(RegionState &scope) {
    const Iteration &iteration = *scope.iteration;
    Iteration next;
    next.aside = iteration.aside;
    if (iteration.length) {
        next.length = widener_.active.length;
        next.header = merge(scope.level.loop->getHeader(), scope.back);
    } else {
        next.live = scope.back.front().mask;
        for (const IncomingEdge &edge : drop_begin(scope.back))
            next.live = either(next.live, edge.mask);
        next.live = repair_.mask(as_mask(next.live));
        next.header = blend(scope.back);
    }
    next.put_aside.resize(next.aside.size());
    SmallVector<bool> held(next.header.size());
    auto phis = scope.level.loop->getUniqueExitBlock()->phis().begin();
    for (auto [i, result] : enumerate(*scope.results)) {
        unsigned at = result.index;
        PHINode &phi = *phis++;
        if (result.kind == ExitValue::aside) {
            next.aside[at] = next_aside(scope, phi, unsigned(i));
        } else if (result.kind != ExitValue::outside && !held[at]) {
            held[at] = true;
            Value *&value = next.header[at];
            if (iteration.length)
                value = merged(next.length, value, iteration.header[at]);
            else
                value = chosen(result.kind == ExitValue::header ? next.live : iteration.live, value,
                               iteration.header[at]);
        }
    }
    return next;
}

// The values aside after an iteration, for the exit's phi node `i`.
Value *RowCodegen::next_aside(const RegionState &scope, const PHINode &phi, unsigned i) {
    const Iteration &iteration = *scope.iteration;
    const ExitValue &result = (*scope.results)[i];
    Value *aside = iteration.aside[result.index];
    BasicBlock *put_aside = iteration.put_aside[result.index];
    Value *common = phi.hasConstantValue();
    if (common && put_aside)
        return aside;
    // By whatever exits lanes leave, they do so with the same value: one merge is enough. Those
    // that stay get it as well, but leave with another one later.
    if (common && iteration.live && scope.exits.size() > 1)
        return chosen(iteration.live, widener_.vector(common), aside);
    for (const IncomingEdge &edge : scope.exits) {
        Value *value = edge.source ? phi.getIncomingValueForBlock(edge.source) : nullptr;
        const bool is_aside = put_aside && value && edge.mask == iteration.live &&
                              value == phi.getIncomingValueForBlock(put_aside);
        if (!is_aside && !(value && value == result.usual))
            aside = chosen(edge.mask, edge.values[i], aside);
    }
    return aside;
}

// The exit values of the lanes that left before this iteration.
SmallVector<Value *, 4> RowCodegen::results_of(const RegionState &scope) {
    SmallVector<Value *, 4> values;
    for (auto [result, phi] : zip(*scope.results, scope.level.loop->getUniqueExitBlock()->phis())) {
        if (result.kind == ExitValue::outside)
            values.push_back(kinds(strides_.of(&phi)).all ? widener_.vector(result.usual)
                                                          : widener_.scalar(result.usual));
        else
            values.push_back(result.kind == ExitValue::aside
                                 ? scope.iteration->aside[result.index]
                                 : scope.iteration->header[result.index]);
    }
    return values;
}

bool RowCodegen::is_way_out(const RegionState &scope, BasicBlock *block) const {
    const LoopRegion &level = scope.level;
    return (level.divergent && level.uniform_exits.contains(block)) ||
           (level.shrinking_vl && level.loop->isLoopExiting(block));
}

// An exit that is a branch: in the header, for lanes that reach the limit, or for all lanes that
// are left. Returns the work-item's block in which the others go on.
BasicBlock *RowCodegen::leave(RegionState &scope, BasicBlock *block, Value *mask) {
    const LoopRegion &level = scope.level;
    Iteration &iteration = *scope.iteration;
    auto *branch = cast<BranchInst>(block->getTerminator());
    unsigned inside = level.loop->contains(branch->getSuccessor(0)) ? 0 : 1;
    BasicBlock *exit = branch->getSuccessor(1 - inside);
    BasicBlock *out = new_block("leave");
    BasicBlock *stay = new_block("stay");
    auto results = results_of(scope);
    if (level.shrinking_vl && block == level.loop->getHeader()) {
        // Lanes that left before keep their values aside; the header's phi nodes hold the others.
        auto values = parts(exit, block);
        for (auto [i, result] : enumerate(*scope.results))
            if (result.kind == ExitValue::aside)
                results[i] = iteration.aside[result.index] =
                    merged(iteration.length, values[i], results[i]);
        auto [stays, index, limit] = *level.shrinking_vl;
        Value *first = widener_.scalar(index);
        Value *last = widener_.scalar(limit);
        builder_.CreateCondBr(builder_.CreateICmp(stays, first, last), stay, out);
        builder_.SetInsertPoint(stay);
        Type *type = first->getType();
        Value *left = builder_.CreateSub(last, first);
        if (!CmpInst::isStrictPredicate(stays))
            left =
                builder_.CreateAdd(builder_.CreateBinaryIntrinsic(
                                       Intrinsic::umin, left, ConstantInt::get(type, UINT16_MAX)),
                                   ConstantInt::get(type, 1));
        left = builder_.CreateBinaryIntrinsic(Intrinsic::umin, left,
                                              builder_.CreateZExt(iteration.length, type));
        widener_.active.length = builder_.CreateTrunc(left, iteration.length->getType());
        builder_.SetInsertPoint(out);
    } else {
        // Before any lane may have left in this iteration, all that are left may put their exit
        // values aside, because they do so again when they leave. This needs a block that no edge
        // bypasses. It pays if they leave with the same values by another exit.
        auto leaves_elsewhere_with = [&](const PHINode &phi, const Value *value) {
            return any_of(zip(phi.incoming_values(), phi.blocks()), [&](auto edge) {
                auto [other, from] = edge;
                return other == value && !level.uniform_exits.contains(from);
            });
        };
        if (iteration.live && mask == iteration.live && scope.exits.empty() &&
            level.always_passed(level.index.at(block))) {
            auto values = parts(exit, block);
            for (auto [i, result, phi] : enumerate(*scope.results, exit->phis()))
                if (result.kind == ExitValue::aside && !result.usual &&
                    leaves_elsewhere_with(phi, phi.getIncomingValueForBlock(block))) {
                    results[i] = iteration.aside[result.index] =
                        chosen(mask, values[i], results[i]);
                    iteration.put_aside[result.index] = block;
                }
        }
        Value *condition = widener_.scalar(branch->getCondition());
        // If no lane is left, the condition may be poison: it wasn't computed, or no lane has its
        // value.
        if (!scope.exits.empty() || scope.perhaps_empty)
            condition = builder_.CreateFreeze(condition);
        builder_.CreateCondBr(condition, inside == 0 ? stay : out, inside == 0 ? out : stay);
        builder_.SetInsertPoint(out);
        auto values = parts(exit, block);
        for (auto [i, result, phi] : enumerate(*scope.results, exit->phis())) {
            const bool is_outside = result.kind == ExitValue::outside;
            if ((is_outside && phi.getIncomingValueForBlock(block) == result.usual) ||
                (result.kind == ExitValue::aside && iteration.put_aside[result.index] == block))
                continue;
            if (!is_outside)
                for (const IncomingEdge &edge : scope.exits)
                    results[i] = chosen(edge.mask, edge.values[i], results[i]);
            results[i] = iteration.length ? merged(widener_.active.length, values[i], results[i])
                                          : chosen(mask, values[i], results[i]);
        }
    }
    scope.leaves->push_back({out, nullptr, results});
    builder_.CreateBr(scope.exit);
    builder_.SetInsertPoint(stay);
    return branch->getSuccessor(inside);
}

} // namespace rivulet::compiler
