// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/codegen/row_codegen_internal.h"

#include <numeric>

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>

#include "compiler/analysis/limits.h"
#include "compiler/spmd/transform/lane_inductions.h"
#include "compiler/work_items/work_item_loop.h"

namespace rivulet::compiler {

using namespace llvm;

// Full strips of a tiny body in each iteration, without vsetvli between them.
constexpr unsigned tiny_body_strips = 4; // strips

// A row of known length is unrolled as a whole up to this many strips.
constexpr unsigned max_unrolled_strips = 8; // strips

// Fewer instructions cost less than a branch that tests whether any lane needs them; a branch that
// is hardly ever taken costs a vcpop and itself.
constexpr unsigned min_instructions_behind_branch = 16; // instructions
constexpr unsigned min_instructions_behind_rare_branch = 3;

BasicBlock *RowCodegen::new_block(const Twine &name) {
    return BasicBlock::Create(builder_.getContext(), name, row_);
}

BasicBlock *RowCodegen::block_of(RegionState &scope, unsigned n) {
    BasicBlock *&block = scope.blocks[n];
    if (!block)
        block = new_block(scope.level.nodes[n].block->getName());
    return block;
}

SmallVector<Value *, 4> RowCodegen::parts(BasicBlock *target, BasicBlock *from) {
    SmallVector<Value *, 4> values;
    for (PHINode &phi : target->phis()) {
        Kinds wanted = kinds(strides_.of(&phi));
        Value *value = phi.getIncomingValueForBlock(from);
        if (wanted.first)
            values.push_back(widener_.scalar(value));
        if (wanted.all)
            values.push_back(widener_.vector(value));
    }
    return values;
}

SmallVector<PHINode *> RowCodegen::create_phis(BasicBlock *target) {
    SmallVector<PHINode *> created;
    for (PHINode &phi : target->phis()) {
        Kinds wanted = kinds(strides_.of(&phi));
        if (wanted.first)
            created.push_back(builder_.CreatePHI(phi.getType(), 2, phi.getName()));
        if (wanted.all)
            created.push_back(
                builder_.CreatePHI(widener_.vector_of(phi.getType()), 2, phi.getName()));
    }
    return created;
}

void RowCodegen::set_phis(BasicBlock *target, ArrayRef<Value *> values) {
    for (PHINode &phi : target->phis()) {
        Stride shape = strides_.of(&phi);
        Kinds wanted = kinds(shape);
        if (wanted.first) {
            widener_.set_scalar(&phi, values.front());
            values = values.drop_front();
        }
        if (wanted.all) {
            widener_.set_vector(&phi, values.front());
            values = values.drop_front();
        } else if (shape.kind == Stride::affine) {
            widener_.materialise_affine(&phi);
        }
    }
}

Value *RowCodegen::either(Value *a, Value *b) {
    return repair_.mask(builder_.CreateOr(as_mask(a), as_mask(b)));
}

Value *RowCodegen::as_mask(Value *mask) { return mask ? mask : widener_.all_lanes(); }

// Lanes of the mask get `value`. Uniform values differ only if all lanes came by the same edge.
Value *RowCodegen::chosen(Value *mask, Value *value, Value *otherwise) {
    if (value == otherwise || isa<UndefValue>(value) || !mask)
        return isa<UndefValue>(value) ? otherwise : value;
    if (isa<UndefValue>(otherwise))
        return value;
    if (!is_vector(value))
        mask = widener_.any(mask);
    return builder_.CreateSelect(mask, value, otherwise);
}

SmallVector<Value *, 4> RowCodegen::blend(ArrayRef<IncomingEdge> edges) {
    SmallVector<Value *, 4> values = edges.front().values;
    for (const IncomingEdge &edge : edges.drop_front())
        for (auto [value, other] : zip(values, edge.values))
            value = chosen(edge.mask, other, value);
    return values;
}

// Makes the phi nodes of a merge block, in the block that is being built.
SmallVector<Value *, 4> RowCodegen::merge(BasicBlock *target, ArrayRef<IncomingEdge> edges) {
    if (edges.size() == 1)
        return edges.front().values;
    SmallVector<Value *, 4> values;
    for (auto [i, phi] : enumerate(create_phis(target))) {
        for (const IncomingEdge &edge : edges)
            phi->addIncoming(edge.values[i], edge.from);
        values.push_back(phi);
    }
    return values;
}

// Records an edge of the work-item, with the values for the phi nodes of its target.
void RowCodegen::add_edge(RegionState &scope, BasicBlock *from, BasicBlock *to, IncomingEdge edge) {
    edge.values = parts(to, from);
    edge.source = from;
    edge.number = ++scope.edges;
    Loop *loop = scope.level.loop;
    if (loop && to == loop->getHeader())
        scope.back.push_back(std::move(edge));
    else if (loop && !loop->contains(to))
        scope.exits.push_back(std::move(edge));
    else
        scope.incoming[scope.level.index.at(to)].push_back(std::move(edge));
}

BasicBlock *RowCodegen::target_block(RegionState &scope, BasicBlock *to) {
    Loop *loop = scope.level.loop;
    if (loop && to == loop->getHeader())
        return scope.header;
    if (loop && !loop->contains(to))
        return scope.exit;
    return block_of(scope, scope.level.index.at(to));
}

void RowCodegen::add_branch_edge(RegionState &scope, BasicBlock *from, BasicBlock *to,
                                 Value *mask) {
    add_edge(scope, from, to, {builder_.GetInsertBlock(), mask, {}});
}

void RowCodegen::add_predicated_edges(RegionState &scope, unsigned n, Value *mask) {
    BasicBlock *block = scope.level.nodes[n].block;
    auto *branch = cast<BranchInst>(block->getTerminator());
    if (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) {
        add_edge(scope, block, branch->getSuccessor(0), {nullptr, mask, {}});
        return;
    }
    if (is_way_out(scope, block)) {
        add_edge(scope, block, leave(scope, block, mask), {nullptr, mask, {}});
        return;
    }
    Value *condition = widener_.vector(branch->getCondition());
    Loop *loop = scope.level.loop;
    remark_on_mask(condition, *branch, loop && any_of(successors(block), [&](BasicBlock *to) {
                                           return !loop->contains(to);
                                       }));
    auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
    const bool falls = scope.all_enter && loop->getHeader() == block && compare &&
                       compare->hasMetadata(only_way_out);
    for (unsigned edge : {0u, 1u}) {
        BasicBlock *to = branch->getSuccessor(edge);
        const bool stays = !loop || loop->contains(to);
        Value *taken = mask;
        if (stays || scope.exact_exits) // lanes that have left such a loop wouldn't stay now
            taken =
                repair_.mask(widener_.both(falls && stays ? nullptr : mask,
                                           edge == 0 ? condition : widener_.inverted(condition)));
        add_edge(scope, block, to, {nullptr, taken, {}});
    }
}

// Emits nodes that all lanes of the mask run, with branches between them.
//
// Uniform branches stay branches. The region of a predicated branch is emitted as straight-line
// code under masks, and its end is one more edge into the postdominator: nodes in the region must
// not be emitted again, and their edges must not be blended with edges from outside.
void RowCodegen::emit_branches(RegionState &scope, const Nodes &nodes, Value *mask) {
    const LoopRegion &level = scope.level;
    std::vector<bool> done(level.end());
    for (unsigned n : nodes) {
        if (done[n])
            continue;
        const RegionNode &node = level.nodes[n];
        SmallVector<Value *, 4> entering;
        if (n != 0) {
            builder_.SetInsertPoint(block_of(scope, n));
            entering = merge(node.block, scope.incoming[n]);
        }
        scope.masks[n] = mask;
        SmallVector<Value *, 4> leaving = emit_node(scope, n, mask, entering);
        BasicBlock *here = builder_.GetInsertBlock();
        if (node.loop) {
            unsigned next = node.successors.front();
            scope.incoming[next].push_back({here, mask, leaving});
            builder_.CreateBr(block_of(scope, next));
            continue;
        }
        auto *branch = dyn_cast<BranchInst>(node.block->getTerminator());
        if (!branch)
            continue; // the return: the caller goes on
        if (is_way_out(scope, node.block)) {
            BasicBlock *inside = leave(scope, node.block, mask);
            add_branch_edge(scope, node.block, inside, mask);
            if (BasicBlock *to = target_block(scope, inside))
                builder_.CreateBr(to);
            continue;
        }
        if (!node.predicated) {
            BasicBlock *yes = branch->getSuccessor(0);
            add_branch_edge(scope, node.block, yes, mask);
            if (branch->isUnconditional() || yes == branch->getSuccessor(1)) {
                if (BasicBlock *to = target_block(scope, yes))
                    builder_.CreateBr(to);
                continue;
            }
            BasicBlock *no = branch->getSuccessor(1);
            add_branch_edge(scope, node.block, no, mask);
            builder_.CreateCondBr(widener_.scalar(branch->getCondition()), target_block(scope, yes),
                                  target_block(scope, no));
            continue;
        }
        // Edges that come to the postdominator from outside must not be blended with the region's.
        unsigned postdominator = node.postdominator;
        auto others = std::move(scope.incoming[postdominator]);
        scope.incoming[postdominator].clear();
        Nodes region = level.region(n);
        for (unsigned inside : region)
            done[inside] = true;
        if (Value *may = rare_path_test(scope, n, region))
            others.push_back({emit_rare_path_test(may, block_of(scope, postdominator)), mask, {}});
        else if (!mask && wants_versions(scope, n))
            others.push_back(emit_uniform_version(scope, n, region));
        add_predicated_edges(scope, n, mask);
        emit_predicated(scope, region, false);
        if (postdominator < level.end()) {
            others.push_back(
                {builder_.GetInsertBlock(), mask, blend(scope.incoming[postdominator])});
            scope.incoming[postdominator] = std::move(others);
            builder_.CreateBr(block_of(scope, postdominator));
        }
    }
}

// The mask of a node: that of its dominator if all lanes come from there, else that of its edges.
Value *RowCodegen::chain_mask(RegionState &scope, unsigned n) {
    unsigned before = scope.level.nodes[n].dominator;
    if (scope.level.postdominates(n, before))
        return scope.masks.lookup(before);
    Value *mask = nullptr;
    for (auto [i, edge] : enumerate(scope.incoming[n])) {
        if (!edge.mask)
            return nullptr;
        mask = i == 0 ? edge.mask : either(mask, edge.mask);
    }
    return mask;
}

bool RowCodegen::should_guard(const LoopRegion &level, ArrayRef<unsigned> nodes) const {
    const bool rare = !nodes.empty() && rare_.contains(level.nodes[nodes.front()].block);
    const size_t most = rare ? min_instructions_behind_rare_branch : min_instructions_behind_branch;
    size_t cost = 0;
    for (unsigned n : nodes) {
        const RegionNode &node = level.nodes[n];
        if (node.loop || (node.successors.size() > 1 && !node.predicated))
            return true;
        for (Instruction &instruction : *node.block)
            if (widener_.unsafe_with_empty_mask(instruction))
                return true;
        cost += node.block->sizeWithoutDebug();
        if (cost > most)
            return true;
    }
    return false;
}

// Merges edges that lanes take under masks into one, from the given edge on.
void RowCodegen::merge_edges(SmallVector<IncomingEdge> &edges, size_t from) {
    if (edges.size() - from < 2)
        return;
    const ArrayRef<IncomingEdge> merged = ArrayRef(edges).drop_front(from);
    IncomingEdge whole{nullptr, merged.front().mask, blend(merged), nullptr, merged.back().number};
    for (const IncomingEdge &edge : merged.drop_front())
        whole.mask = whole.mask && edge.mask ? either(whole.mask, edge.mask) : nullptr;
    edges.truncate(from);
    edges.push_back(std::move(whole));
}

// Merges all edges from guarded code to each later block into one. Otherwise, in a chain of
// conditions that are each guarded by the one before, every condition would pass its mask and its
// values through the ends of all guards around it, and code would grow with the square of the
// chain's length.
void RowCodegen::merge_guarded_edges(RegionState &scope, const Nodes &group) {
    auto merge = [&](SmallVector<IncomingEdge> &edges) {
        auto is_guarded = [&](const IncomingEdge &edge) { return edge.number >= scope.guarded; };
        merge_edges(edges, size_t(find_if(edges, is_guarded) - edges.begin()));
    };
    for (unsigned n : group)
        for (unsigned next : scope.level.nodes[n].successors)
            if (auto to = scope.incoming.find(next);
                next > group.back() && to != scope.incoming.end())
                merge(to->second);
    merge(scope.exits);
    merge(scope.back);
}

// Emits the group behind a scalar branch that skips it if no lane needs it. Where its lanes meet
// lanes that came by other edges, the selects are inside the guard, so that rows that skip the
// group don't execute them. Two exceptions: in loops, unless the group rarely runs, because the
// values to select from are carried by the loop and would be copied; and values from before an
// outer guard, because they are needed when neither guard's code runs.
void RowCodegen::emit_guarded(RegionState &scope, const Nodes &group, Value *mask) {
    const RegionNode &first = scope.level.nodes[group.front()];
    const unsigned target = first.postdominator;
    const bool rare = rare_.contains(first.block);
    SmallVector<IncomingEdge> others = scope.incoming[target];
    const bool may_merge =
        (rare || !scope.level.loop) && !others.empty() &&
        all_of(others, [&](const IncomingEdge &edge) { return edge.number >= scope.guarded; });
    if (may_merge) {
        merge_edges(others, 0);
        scope.incoming[target] = others;
    }
    BasicBlock *body = new_block(first.block->getName());
    BasicBlock *skip = new_block(first.block->getName() + ".skip");
    BasicBlock *before = builder_.GetInsertBlock();
    repair_.guard(before);
    BranchInst *guard = builder_.CreateCondBr(widener_.any(mask), body, skip);
    if (rare)
        guard->setMetadata(LLVMContext::MD_prof,
                           MDBuilder(guard->getContext()).createUnlikelyBranchWeights());
    const unsigned outside = std::exchange(scope.guarded, scope.edges + 1);
    builder_.SetInsertPoint(body);
    emit_predicated(scope, group, true);
    SmallVector<IncomingEdge> &edges = scope.incoming[target];
    const bool merges = may_merge && edges.size() > 1;
    if (merges)
        merge_edges(edges, 0);
    merge_guarded_edges(scope, group);
    scope.guarded = outside;
    BasicBlock *after = builder_.GetInsertBlock();
    builder_.CreateBr(skip);
    builder_.SetInsertPoint(skip);
    if (!merges)
        return;
    auto either_edge = [&](Value *inside, Value *otherwise) -> Value * {
        if (inside == otherwise)
            return inside;
        PHINode *phi = builder_.CreatePHI(inside->getType(), 2);
        phi->addIncoming(inside, after);
        phi->addIncoming(otherwise, before);
        return phi;
    };
    IncomingEdge &whole = edges.front();
    whole.number = ++scope.edges;
    if (whole.mask)
        whole.mask = repair_.mask(either_edge(whole.mask, others.front().mask));
    for (auto [value, other] : zip(whole.values, others.front().values))
        value = either_edge(value, other);
}

// Emits the nodes of a predicated region, one after the other.
//
// A node's mask is known once all of its edges are, so the nodes are in topological order. A node
// and those that it dominates are skipped together if no lane is active and that pays. A uniform
// branch with a region of its own stays a branch: its lanes are all those of the node's mask.
void RowCodegen::emit_predicated(RegionState &scope, const Nodes &nodes, bool first_is_guarded) {
    const LoopRegion &level = scope.level;
    for (size_t i = 0; i < nodes.size(); ++i) {
        unsigned n = nodes[i];
        const RegionNode &node = level.nodes[n];
        Value *mask = chain_mask(scope, n);
        // A guard also covers the nodes that only come after this one.
        const bool may_guard = mask && !(first_is_guarded && i == 0);
        size_t last = i + 1;
        while (may_guard && last < nodes.size() && level.dominates(n, nodes[last]))
            ++last;
        Nodes group(nodes.begin() + long(i), nodes.begin() + long(last));
        if (may_guard && should_guard(level, group)) {
            emit_guarded(scope, group, mask);
            i = last - 1;
            continue;
        }
        auto entering = blend(scope.incoming[n]);
        scope.masks[n] = mask;
        SmallVector<Value *, 4> leaving = emit_node(scope, n, mask, entering);
        if (node.loop) {
            scope.incoming[node.successors.front()].push_back(
                {nullptr, mask, leaving, nullptr, ++scope.edges});
            continue;
        }
        bool real = node.successors.size() > 1 && !node.predicated &&
                    node.postdominator < level.end() && level.single_entry(n);
        Nodes region = node.predicated ? level.region(n) : Nodes();
        if (i + region.size() < nodes.size() &&
            std::equal(region.begin(), region.end(), nodes.begin() + long(i) + 1) &&
            node.postdominator < level.end() && scope.incoming[node.postdominator].empty())
            if (Value *may = rare_path_test(scope, n, region)) {
                BasicBlock *around = new_block(node.block->getName() + ".checked");
                emit_rare_path_test(may, around);
                add_predicated_edges(scope, n, mask);
                emit_predicated(scope, region, false);
                builder_.CreateBr(around);
                builder_.SetInsertPoint(around);
                scope.incoming[node.postdominator] = {{nullptr, mask, {}, nullptr, ++scope.edges}};
                i += region.size();
                continue;
            }
        if (!real) {
            add_predicated_edges(scope, n, mask);
            continue;
        }
        region = level.region(n);
        unsigned postdominator = node.postdominator;
        auto others = std::move(scope.incoming[postdominator]);
        scope.incoming[postdominator].clear();
        BasicBlock *outer = std::exchange(scope.blocks[postdominator], nullptr);
        auto *branch = cast<BranchInst>(node.block->getTerminator());
        add_branch_edge(scope, node.block, branch->getSuccessor(0), mask);
        add_branch_edge(scope, node.block, branch->getSuccessor(1), mask);
        BasicBlock *yes = target_block(scope, branch->getSuccessor(0));
        BasicBlock *no = target_block(scope, branch->getSuccessor(1));
        builder_.CreateCondBr(widener_.scalar(branch->getCondition()), yes, no);
        emit_branches(scope, region, mask);
        builder_.SetInsertPoint(block_of(scope, postdominator));
        others.push_back({nullptr, mask,
                          merge(level.nodes[postdominator].block, scope.incoming[postdominator]),
                          nullptr, ++scope.edges});
        scope.incoming[postdominator] = std::move(others);
        scope.blocks[postdominator] = outer;
        i += region.size();
    }
}

SmallVector<Value *, 4> RowCodegen::emit_node(RegionState &scope, unsigned n, Value *mask,
                                              const SmallVector<Value *, 4> &entering) {
    const RegionNode &node = scope.level.nodes[n];
    widener_.active.mask = mask;
    if (node.loop) {
        auto values = emit_loop(flow_.level(node.loop), mask, entering);
        widener_.active.mask = mask;
        return values;
    }
    if (n != 0)
        set_phis(node.block, entering);
    for (Instruction &instruction : *node.block) {
        for (const DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange()))
            widener_.describe(record);
        if (!isa<PHINode>(instruction) && !instruction.isTerminator())
            widener_.emit(instruction);
    }
    return {};
}

// The work-items x + offset … x + offset + length - 1; x has as many bits as a pointer.
void RowCodegen::emit_strip(Value *x, Value *length, uint64_t offset) {
    widener_.active = {length, nullptr};
    widener_.set_x(x, offset);
    Argument *parameter = work_item_.getArg(0);
    Value *first = builder_.CreateAdd(x, ConstantInt::get(x->getType(), offset), "", true, true);
    widener_.set_scalar(parameter,
                        builder_.CreateTrunc(first, parameter->getType(), "", true, true));
    widener_.materialise_affine(parameter);
    if (strips_.rows)
        emit_rows();
    else
        emit_work_items();
    builder_.SetCurrentDebugLocation({});
}

void RowCodegen::emit_work_items() {
    RegionState scope(flow_.level(nullptr));
    Nodes nodes(scope.level.end());
    std::iota(nodes.begin(), nodes.end(), 0u);
    emit_branches(scope, nodes, nullptr);
}

// Emits all rows that share a strip, so that facts about the strip are computed once.
void RowCodegen::emit_rows() {
    for_each_row(builder_, row_->getArg(2), row_->getArg(3), strips_.rows, [&](Value *y) {
        widener_.set_scalar(work_item_.getArg(1), y);
        emit_work_items();
    });
}

// Whether the code may be emitted several times: for full strips, four at a time, and for the rest.
// Work-items end for certain: they have no loops, and call no functions that may have some.
bool RowCodegen::is_straight() const {
    const LoopRegion &level = flow_.level(nullptr);
    return none_of(level.nodes, [](const RegionNode &node) { return node.loop; }) &&
           none_of(instructions(work_item_), [&](const Instruction &instruction) {
               return widener_.is_row_call(instruction);
           });
}

bool RowCodegen::is_short() const {
    return work_item_.getInstructionCount() <= tiny_body_max_instructions && is_straight();
}

// A row of unknown length is often shorter than a strip if the group has several rows. Otherwise it
// has a few strips, and computing their lengths costs less than testing for the last one; not with
// masks, for which LLVM changes VL back and forth unless it is the full length.
bool RowCodegen::wants_full_strips() const {
    return strips_.length || !work_item_.getArg(1)->use_empty() ||
           any_of(instructions(work_item_), [&](const Instruction &instruction) {
               return instruction.getType()->isIntegerTy(1) && !strides_.uniform(&instruction);
           });
}

// Emits full strips, `at_once` per iteration. Returns where they end.
Value *RowCodegen::emit_full_strips(Value *x, Value *end, unsigned at_once) {
    Type *type = x->getType();
    uint64_t length = strips_.sub_group ? strips_.sub_group
                                        : strips_.lanes.getKnownMinValue() * strips_.vlen / 64;
    Value *step = ConstantInt::get(type, at_once * length);
    BasicBlock *before = builder_.GetInsertBlock();
    BasicBlock *strips = new_block("full_strips");
    BasicBlock *done = new_block("full_strips.done");
    Value *left = builder_.CreateBinaryIntrinsic(Intrinsic::usub_sat, end, x);
    Value *count = builder_.CreateUDiv(left, step);
    builder_.CreateCondBr(builder_.CreateIsNotNull(count), strips, done);
    builder_.SetInsertPoint(strips);
    PHINode *at = builder_.CreatePHI(type, 2, "x");
    PHINode *number = builder_.CreatePHI(type, 2, "number");
    for (unsigned i = 0; i < at_once; ++i)
        emit_strip(at, builder_.getInt32(uint32_t(length)), i * length);
    Value *next = builder_.CreateAdd(at, step, "", true, true);
    Value *next_number = builder_.CreateNUWAdd(number, ConstantInt::get(type, 1));
    BasicBlock *tail = builder_.GetInsertBlock();
    at->addIncoming(x, before);
    at->addIncoming(next, tail);
    number->addIncoming(ConstantInt::get(type, 0), before);
    number->addIncoming(next_number, tail);
    auto *branch = builder_.CreateCondBr(builder_.CreateICmpNE(next_number, count), strips, done);
    uint64_t known = strips_.length / length;
    if (at_once == 1) // work-groups are small: a few strips; copies would test how many
        unroll(*branch,
               known <= max_unrolled_strips ? std::max(1u, unsigned(known)) : tiny_body_strips);
    builder_.SetInsertPoint(done);
    PHINode *rest = builder_.CreatePHI(type, 2, "x");
    rest->addIncoming(x, before);
    rest->addIncoming(next, tail);
    return rest;
}

void RowCodegen::emit_last_strip(Value *x, Value *end) {
    BasicBlock *strip = new_block("strip");
    BasicBlock *done = new_block("done");
    builder_.CreateCondBr(builder_.CreateICmpULT(x, end), strip, done);
    builder_.SetInsertPoint(strip);
    Value *length = builder_.CreateNUWSub(end, x);
    emit_strip(x, builder_.CreateTrunc(length, builder_.getInt32Ty(), "", true, true), 0);
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
}

void RowCodegen::emit_strips(Value *x, Value *end) {
    BasicBlock *before = builder_.GetInsertBlock();
    BasicBlock *strip = new_block("strip");
    BasicBlock *done = new_block("strips.done");
    builder_.CreateCondBr(builder_.CreateICmpULT(x, end), strip, done);
    builder_.SetInsertPoint(strip);
    PHINode *at = builder_.CreatePHI(x->getType(), 2, "x");
    at->addIncoming(x, before);
    Value *left = builder_.CreateNUWSub(end, at);
    Value *length =
        strips_.sub_group
            ? builder_.CreateBinaryIntrinsic(Intrinsic::umin, left,
                                             ConstantInt::get(left->getType(), strips_.sub_group))
            : widener_.set_length(left, strips_.widest);
    emit_strip(at, builder_.CreateTrunc(length, builder_.getInt32Ty(), "", true, true), 0);
    Value *next = builder_.CreateAdd(at, length, "", true, true);
    at->addIncoming(next, builder_.GetInsertBlock());
    auto *branch = builder_.CreateCondBr(builder_.CreateICmpULT(next, end), strip, done);
    if (strips_.keeps_loads)
        hoist_nothing(*branch);
    else if (is_straight())
        always_ends(*branch);
    builder_.SetInsertPoint(done);
}

Function *RowCodegen::run() {
    const unsigned dimensions = strips_.rows ? 2 : 1;
    row_ = dimensions == 2 ? create_rows(work_item_) : create_row(work_item_);
    builder_.SetInsertPoint(new_block("entry"));
    for (Argument &argument : drop_begin(work_item_.args(), dimensions))
        widener_.set_scalar(&argument, row_->getArg(argument.getArgNo() + dimensions));
    for (Instruction &instruction : work_item_.getEntryBlock())
        if (auto *variable = dyn_cast<AllocaInst>(&instruction))
            widener_.emit_variable(*variable);
    Type *xlen = work_item_.getDataLayout().getIntPtrType(builder_.getContext());
    Value *x = builder_.CreateZExt(row_->getArg(0), xlen);
    Value *end = builder_.CreateZExt(row_->getArg(1), xlen);
    bool is_copied = strips_.vlen && is_short();
    if (strips_.one)
        emit_last_strip(x, end);
    else if (is_copied && strips_.many)
        emit_strips(emit_full_strips(x, end, tiny_body_strips), end);
    else if (is_copied && wants_full_strips()) // if the number is known, no loop is left
        emit_last_strip(emit_full_strips(x, end, 1), end);
    else
        emit_strips(x, end);
    builder_.CreateRetVoid();
    repair_.run(*row_);
    row_->setSubprogram(work_item_.getSubprogram());
    work_item_.setSubprogram(nullptr);
    return row_;
}

Function *emit_row(Function &work_item, const ControlFlow &flow, const StrideAnalysis &strides,
                   StripOptions strips) {
    return RowCodegen(work_item, flow, strides, strips).run();
}

} // namespace rivulet::compiler
