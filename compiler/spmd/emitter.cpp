// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/emitter.h"

#include <numeric>

#include <llvm/IR/DebugInfoMetadata.h>

#include "compiler/spmd/lanes.h"
#include "compiler/spmd/repair.h"
#include "compiler/workgroup/row.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// A way into a node, with what its phi nodes get.
struct Incoming {
    BasicBlock *from = nullptr; // of a branch; lanes of a linear region come along under masks
    Value *mask = nullptr;
    SmallVector<Value *, 4> values;
};

// A level on its way to lanes.
struct Scope {
    explicit Scope(const Level &level) : level(level) {}

    const Level &level;
    DenseMap<unsigned, BasicBlock *> blocks;
    DenseMap<unsigned, SmallVector<Incoming>> incoming;
    DenseMap<unsigned, Value *> masks;
    BasicBlock *header = nullptr; // of a uniform loop: where its branches go
    BasicBlock *exit = nullptr;
    SmallVector<Incoming> back;
    SmallVector<Incoming> exits;
};

using Nodes = std::vector<unsigned>;

// A few instructions cost less than to ask whether any lane wants them.
constexpr unsigned worth_a_branch = 16;
constexpr unsigned small_body = 80;
constexpr unsigned tiny_body = 24;

// As LLVM's unroller sees fit, and a number of times if one is given.
void unroll(Instruction &latch, unsigned times = 0) {
    LLVMContext &context = latch.getContext();
    SmallVector<Metadata *, 2> hint{
        MDString::get(context, times ? "llvm.loop.unroll.count" : "llvm.loop.unroll.enable")};
    if (times)
        hint.push_back(ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), times)));
    MDNode *loop = MDNode::getDistinct(context, {nullptr, MDNode::get(context, hint)});
    loop->replaceOperandWith(0, loop);
    latch.setMetadata(LLVMContext::MD_loop, loop);
}

class Emitter {
public:
    Emitter(Function &work_item, const ControlFlow &flow, const Shapes &shapes,
            const RowBounds &bounds, Strips strips)
        : work_item_(work_item), flow_(flow), shapes_(shapes), bounds_(bounds), strips_(strips),
          builder_(work_item.getContext()),
          lanes_(builder_, shapes, strips.lanes_per_vscale, strips.vlen) {}

    Function *run();

private:
    void emit_strip(Value *x, Value *length);
    Value *emit_full_strips(Value *x, Value *end);
    void emit_strips(Value *x, Value *end);
    bool is_short() const;
    void run_real(Scope &scope, const Nodes &nodes, Value *mask);
    void run_chain(Scope &scope, const Nodes &nodes, bool first_is_guarded);
    SmallVector<Value *, 4> emit_node(Scope &scope, unsigned n, Value *mask,
                                      const SmallVector<Value *, 4> &entering);
    SmallVector<Value *, 4> emit_loop(const Level &level, Value *mask,
                                      const SmallVector<Value *, 4> &entering);
    SmallVector<Value *, 4> end_divergent_loop(Scope &scope, Value *live, PHINode *live_phi,
                                               ArrayRef<PHINode *> header_phis);

    void real_edge(Scope &scope, BasicBlock *from, BasicBlock *to, Value *mask);
    void linear_edges(Scope &scope, unsigned n, Value *mask);
    void add_edge(Scope &scope, BasicBlock *from, BasicBlock *to, Incoming edge);
    BasicBlock *target_block(Scope &scope, BasicBlock *to);
    BasicBlock *block_of(Scope &scope, unsigned n);
    BasicBlock *new_block(const Twine &name);

    SmallVector<Value *, 4> parts(BasicBlock *target, BasicBlock *from);
    SmallVector<PHINode *> create_phis(BasicBlock *target);
    void set_phis(BasicBlock *target, ArrayRef<Value *> values);
    SmallVector<Value *, 4> merge(BasicBlock *target, ArrayRef<Incoming> ways);
    SmallVector<Value *, 4> blend(ArrayRef<Incoming> ways);
    Value *chosen(Value *mask, Value *value, Value *otherwise);
    Value *chain_mask(Scope &scope, unsigned n);
    Value *either(Value *a, Value *b);
    Value *as_mask(Value *mask);
    bool wants_guard(const Scope &scope, ArrayRef<unsigned> nodes) const;

    Function &work_item_;
    const ControlFlow &flow_;
    const Shapes &shapes_;
    const RowBounds &bounds_;
    Strips strips_;
    IRBuilder<> builder_;
    Lanes lanes_;
    Function *row_ = nullptr;
    Repair repair_;
};

BasicBlock *Emitter::new_block(const Twine &name) {
    return BasicBlock::Create(builder_.getContext(), name, row_);
}

BasicBlock *Emitter::block_of(Scope &scope, unsigned n) {
    BasicBlock *&block = scope.blocks[n];
    if (!block)
        block = new_block(scope.level.nodes[n].block->getName());
    return block;
}

bool is_vector(const Value *value) { return value->getType()->isVectorTy(); }

// What is known of a phi node's value: lane 0's, all lanes', or both.
struct Kinds {
    bool first;
    bool all;
};
Kinds kinds(const Shape &shape) {
    return {shape.kind != Shape::varying, shape.kind == Shape::varying || shape.as_address};
}

SmallVector<Value *, 4> Emitter::parts(BasicBlock *target, BasicBlock *from) {
    SmallVector<Value *, 4> values;
    for (PHINode &phi : target->phis()) {
        Kinds wanted = kinds(shapes_.of(&phi));
        Value *value = phi.getIncomingValueForBlock(from);
        if (wanted.first)
            values.push_back(lanes_.scalar(value));
        if (wanted.all)
            values.push_back(lanes_.vector(value));
    }
    return values;
}

SmallVector<PHINode *> Emitter::create_phis(BasicBlock *target) {
    SmallVector<PHINode *> created;
    for (PHINode &phi : target->phis()) {
        Kinds wanted = kinds(shapes_.of(&phi));
        if (wanted.first)
            created.push_back(builder_.CreatePHI(phi.getType(), 2, phi.getName()));
        if (wanted.all)
            created.push_back(
                builder_.CreatePHI(lanes_.vector_of(phi.getType()), 2, phi.getName()));
    }
    return created;
}

void Emitter::set_phis(BasicBlock *target, ArrayRef<Value *> values) {
    for (PHINode &phi : target->phis()) {
        Shape shape = shapes_.of(&phi);
        Kinds wanted = kinds(shape);
        if (wanted.first) {
            lanes_.set_scalar(&phi, values.front());
            values = values.drop_front();
        }
        if (wanted.all) {
            lanes_.set_vector(&phi, values.front());
            values = values.drop_front();
        } else if (shape.kind == Shape::linear) {
            lanes_.spread(&phi);
        }
    }
}

Value *Emitter::either(Value *a, Value *b) {
    return repair_.mask(builder_.CreateOr(as_mask(a), as_mask(b)));
}

Value *Emitter::as_mask(Value *mask) { return mask ? mask : lanes_.all_lanes(); }

// Lanes of the mask get the one value. Uniform values differ only where one way was taken by all.
Value *Emitter::chosen(Value *mask, Value *value, Value *otherwise) {
    if (value == otherwise || isa<UndefValue>(value) || !mask)
        return isa<UndefValue>(value) ? otherwise : value;
    if (isa<UndefValue>(otherwise))
        return value;
    if (!is_vector(value))
        mask = lanes_.any(mask);
    return builder_.CreateSelect(mask, value, otherwise);
}

SmallVector<Value *, 4> Emitter::blend(ArrayRef<Incoming> ways) {
    SmallVector<Value *, 4> values = ways.front().values;
    for (const Incoming &way : ways.drop_front())
        for (auto [value, other] : zip(values, way.values))
            value = chosen(way.mask, other, value);
    return values;
}

// Where branches meet: phi nodes, in the block that is being built.
SmallVector<Value *, 4> Emitter::merge(BasicBlock *target, ArrayRef<Incoming> ways) {
    if (ways.size() == 1)
        return ways.front().values;
    SmallVector<Value *, 4> values;
    for (auto [i, phi] : enumerate(create_phis(target))) {
        for (const Incoming &way : ways)
            phi->addIncoming(way.values[i], way.from);
        values.push_back(phi);
    }
    return values;
}

// Where an edge of the work-item leads to.
void Emitter::add_edge(Scope &scope, BasicBlock *from, BasicBlock *to, Incoming edge) {
    edge.values = parts(to, from);
    Loop *loop = scope.level.loop;
    if (loop && to == loop->getHeader())
        scope.back.push_back(std::move(edge));
    else if (loop && !loop->contains(to))
        scope.exits.push_back(std::move(edge));
    else
        scope.incoming[scope.level.index.at(to)].push_back(std::move(edge));
}

BasicBlock *Emitter::target_block(Scope &scope, BasicBlock *to) {
    Loop *loop = scope.level.loop;
    if (loop && to == loop->getHeader())
        return scope.header;
    if (loop && !loop->contains(to))
        return scope.exit;
    return block_of(scope, scope.level.index.at(to));
}

void Emitter::real_edge(Scope &scope, BasicBlock *from, BasicBlock *to, Value *mask) {
    add_edge(scope, from, to, {builder_.GetInsertBlock(), mask, {}});
}

void Emitter::linear_edges(Scope &scope, unsigned n, Value *mask) {
    BasicBlock *block = scope.level.nodes[n].block;
    auto *branch = cast<BranchInst>(block->getTerminator());
    if (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) {
        add_edge(scope, block, branch->getSuccessor(0), {nullptr, mask, {}});
        return;
    }
    Value *condition = lanes_.vector(branch->getCondition());
    Value *yes = repair_.mask(lanes_.both(mask, condition));
    Value *no = repair_.mask(lanes_.both(mask, lanes_.inverted(condition)));
    add_edge(scope, block, branch->getSuccessor(0), {nullptr, yes, {}});
    add_edge(scope, block, branch->getSuccessor(1), {nullptr, no, {}});
}

// Nodes that all lanes of the mask run, with branches between them.
void Emitter::run_real(Scope &scope, const Nodes &nodes, Value *mask) {
    const Level &level = scope.level;
    std::vector<bool> done(level.end());
    for (unsigned n : nodes) {
        if (done[n])
            continue;
        const Node &node = level.nodes[n];
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
        if (!node.linear) {
            BasicBlock *yes = branch->getSuccessor(0);
            real_edge(scope, node.block, yes, mask);
            if (branch->isUnconditional() || yes == branch->getSuccessor(1)) {
                if (BasicBlock *to = target_block(scope, yes))
                    builder_.CreateBr(to);
                continue;
            }
            BasicBlock *no = branch->getSuccessor(1);
            real_edge(scope, node.block, no, mask);
            builder_.CreateCondBr(lanes_.scalar(branch->getCondition()), target_block(scope, yes),
                                  target_block(scope, no));
            continue;
        }
        // Branches that lead to the join as well are no business of the region's masks.
        unsigned join = node.postdominator;
        auto others = std::move(scope.incoming[join]);
        scope.incoming[join].clear();
        linear_edges(scope, n, mask);
        Nodes region = level.region(n);
        for (unsigned inside : region)
            done[inside] = true;
        run_chain(scope, region, false);
        if (join < level.end()) {
            others.push_back({builder_.GetInsertBlock(), mask, blend(scope.incoming[join])});
            scope.incoming[join] = std::move(others);
            builder_.CreateBr(block_of(scope, join));
        }
    }
}

// All lanes that came to the node's dominator come here, or those of each way.
Value *Emitter::chain_mask(Scope &scope, unsigned n) {
    unsigned before = scope.level.nodes[n].dominator;
    if (scope.level.postdominates(n, before))
        return scope.masks.lookup(before);
    Value *mask = nullptr;
    for (auto [i, way] : enumerate(scope.incoming[n])) {
        if (!way.mask)
            return nullptr;
        mask = i == 0 ? way.mask : either(mask, way.mask);
    }
    return mask;
}

bool Emitter::wants_guard(const Scope &scope, ArrayRef<unsigned> nodes) const {
    size_t cost = 0;
    for (unsigned n : nodes) {
        const Node &node = scope.level.nodes[n];
        if (node.loop || (node.successors.size() > 1 && !node.linear))
            return true;
        for (Instruction &instruction : *node.block)
            if (lanes_.needs_active_lane(instruction))
                return true;
        cost += node.block->sizeWithoutDebug();
    }
    return cost > worth_a_branch;
}

// Nodes of a linear region, one after the other.
void Emitter::run_chain(Scope &scope, const Nodes &nodes, bool first_is_guarded) {
    const Level &level = scope.level;
    for (size_t i = 0; i < nodes.size(); ++i) {
        unsigned n = nodes[i];
        const Node &node = level.nodes[n];
        Value *mask = chain_mask(scope, n);
        // A guard takes along what only comes after it.
        size_t last = i + 1;
        while (last < nodes.size() && level.dominates(n, nodes[last]))
            ++last;
        Nodes group(nodes.begin() + long(i), nodes.begin() + long(last));
        if (mask && !(first_is_guarded && i == 0) && wants_guard(scope, group)) {
            BasicBlock *body = new_block(node.block->getName());
            BasicBlock *skip = new_block(node.block->getName() + ".skip");
            repair_.guard(builder_.GetInsertBlock());
            builder_.CreateCondBr(lanes_.any(mask), body, skip);
            builder_.SetInsertPoint(body);
            run_chain(scope, group, true);
            builder_.CreateBr(skip);
            builder_.SetInsertPoint(skip);
            i = last - 1;
            continue;
        }
        auto entering = blend(scope.incoming[n]);
        scope.masks[n] = mask;
        SmallVector<Value *, 4> leaving = emit_node(scope, n, mask, entering);
        if (node.loop) {
            scope.incoming[node.successors.front()].push_back({nullptr, mask, leaving});
            continue;
        }
        bool real = node.successors.size() > 1 && !node.linear &&
                    node.postdominator < level.end() && level.single_entry(n);
        if (!real) {
            linear_edges(scope, n, mask);
            continue;
        }
        Nodes region = level.region(n);
        unsigned join = node.postdominator;
        auto others = std::move(scope.incoming[join]);
        scope.incoming[join].clear();
        BasicBlock *outer = std::exchange(scope.blocks[join], nullptr);
        auto *branch = cast<BranchInst>(node.block->getTerminator());
        real_edge(scope, node.block, branch->getSuccessor(0), mask);
        real_edge(scope, node.block, branch->getSuccessor(1), mask);
        BasicBlock *yes = target_block(scope, branch->getSuccessor(0));
        BasicBlock *no = target_block(scope, branch->getSuccessor(1));
        builder_.CreateCondBr(lanes_.scalar(branch->getCondition()), yes, no);
        run_real(scope, region, mask);
        builder_.SetInsertPoint(block_of(scope, join));
        others.push_back({nullptr, mask, merge(level.nodes[join].block, scope.incoming[join])});
        scope.incoming[join] = std::move(others);
        scope.blocks[join] = outer;
        i += region.size();
    }
}

SmallVector<Value *, 4> Emitter::emit_node(Scope &scope, unsigned n, Value *mask,
                                           const SmallVector<Value *, 4> &entering) {
    const Node &node = scope.level.nodes[n];
    lanes_.active.mask = mask;
    if (node.loop) {
        auto values = emit_loop(flow_.level(node.loop), mask, entering);
        lanes_.active.mask = mask;
        return values;
    }
    if (n != 0)
        set_phis(node.block, entering);
    for (Instruction &instruction : *node.block)
        if (!isa<PHINode>(instruction) && !instruction.isTerminator())
            lanes_.emit(instruction);
    return {};
}

// Returns what the exit block's phi nodes get.
SmallVector<Value *, 4> Emitter::emit_loop(const Level &level, Value *mask,
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
    PHINode *live = nullptr;
    if (level.divergent) {
        live = builder_.CreatePHI(lanes_.all_lanes()->getType(), 2, "live");
        live->addIncoming(as_mask(mask), before);
        repair_.mask(live);
    }
    set_phis(header, SmallVector<Value *, 4>(phis.begin(), phis.end()));

    Scope scope(level);
    scope.header = level.divergent ? nullptr : head;
    scope.exit = level.divergent ? nullptr : after;
    Nodes nodes(level.end());
    std::iota(nodes.begin(), nodes.end(), 0u);
    run_real(scope, nodes, level.divergent ? live : mask);
    if (!level.divergent) {
        for (const Incoming &way : scope.back) {
            for (auto [phi, value] : zip(phis, way.values))
                phi->addIncoming(value, way.from);
            size_t size = 0;
            for (BasicBlock *block : level.loop->blocks())
                size += block->sizeWithoutDebug();
            if (level.loop->isInnermost() && size <= tiny_body)
                unroll(*way.from->getTerminator());
        }
        builder_.SetInsertPoint(after);
        return merge(level.loop->getUniqueExitBlock(), scope.exits);
    }
    BasicBlock *tail = builder_.GetInsertBlock();
    auto leaving = end_divergent_loop(scope, live, live, phis);
    builder_.CreateCondBr(lanes_.any(live->getIncomingValueForBlock(tail)), head, after);
    builder_.SetInsertPoint(after);
    return leaving;
}

// What a lane leaves the loop with stays as it was when it left.
SmallVector<Value *, 4> Emitter::end_divergent_loop(Scope &scope, Value *live, PHINode *live_phi,
                                                    ArrayRef<PHINode *> header_phis) {
    Loop *loop = scope.level.loop;
    BasicBlock *tail = builder_.GetInsertBlock();
    BasicBlock *before = live_phi->getIncomingBlock(0);
    Value *going_on = scope.back.front().mask;
    for (const Incoming &way : drop_begin(scope.back))
        going_on = either(going_on, way.mask);
    live_phi->addIncoming(as_mask(going_on), tail);
    auto next = blend(scope.back);

    // A header phi node, or what it gets next, is held for lanes that have left; anything else is
    // put aside when a lane leaves.
    SmallVector<PHINode *> originals;
    for (PHINode &phi : loop->getHeader()->phis()) {
        Kinds wanted = kinds(shapes_.of(&phi));
        originals.append(wanted.first + wanted.all, &phi);
    }
    enum Held { no, now, then };
    SmallVector<Held> held(header_phis.size(), no);
    auto hold = [&](Value *value) -> Value * {
        for (size_t h = 0; value && h < header_phis.size(); ++h) {
            bool is_now = originals[h] == value;
            if (!is_vector(header_phis[h]) ||
                !(is_now ||
                  originals[h]->getIncomingValueForBlock(loop->getLoopLatch()) == value) ||
                held[h] == (is_now ? then : now))
                continue;
            if (held[h] == no)
                next[h] = builder_.CreateSelect(is_now ? as_mask(going_on) : live, next[h],
                                                header_phis[h]);
            held[h] = is_now ? now : then;
            return is_now ? header_phis[h] : next[h];
        }
        return nullptr;
    };
    SmallVector<Value *, 4> leaving;
    for (PHINode &phi : loop->getUniqueExitBlock()->phis()) {
        size_t part = leaving.size();
        if (kinds(shapes_.of(&phi)).all)
            if (Value *value = hold(phi.hasConstantValue())) {
                leaving.push_back(value);
                continue;
            }
        Type *type = scope.exits.front().values[part]->getType();
        PHINode *so_far = PHINode::Create(type, 2, "", live_phi->getIterator());
        Value *kept = so_far;
        for (const Incoming &way : scope.exits)
            kept = chosen(as_mask(way.mask), way.values[part], kept);
        so_far->addIncoming(PoisonValue::get(type), before);
        so_far->addIncoming(kept, tail);
        leaving.push_back(kept);
    }
    for (auto [phi, value] : zip(header_phis, next))
        phi->addIncoming(value, tail);
    return leaving;
}

// The work-items x … x + length - 1.
void Emitter::emit_strip(Value *x, Value *length) {
    lanes_.active = {length, nullptr};
    lanes_.set_scalar(work_item_.getArg(0), x);
    lanes_.spread(work_item_.getArg(0));
    Scope scope(flow_.level(nullptr));
    Nodes nodes(scope.level.end());
    std::iota(nodes.begin(), nodes.end(), 0u);
    run_real(scope, nodes, nullptr);
    builder_.SetCurrentDebugLocation({});
}

// Whether the code may be there twice: for full strips, several at a time, and for the rest.
bool Emitter::is_short() const {
    const Level &level = flow_.level(nullptr);
    return none_of(level.nodes, [](const Node &node) { return node.loop; }) &&
           work_item_.getInstructionCount() <= small_body;
}

// Returns where they end.
Value *Emitter::emit_full_strips(Value *x, Value *end) {
    BasicBlock *before = builder_.GetInsertBlock();
    BasicBlock *strip = new_block("full_strip");
    BasicBlock *done = new_block("full_strips.done");
    Value *length = builder_.CreateMul(builder_.CreateVScale(builder_.getInt32Ty()),
                                       builder_.getInt32(strips_.lanes_per_vscale), "", true, true);
    Value *last = builder_.CreateSub(end, length); // may be below x, or even below 0
    builder_.CreateCondBr(builder_.CreateICmpSLE(x, last), strip, done);
    builder_.SetInsertPoint(strip);
    PHINode *at = builder_.CreatePHI(builder_.getInt32Ty(), 2, "x");
    at->addIncoming(x, before);
    emit_strip(at, length);
    Value *next = builder_.CreateAdd(at, length, "", true, true);
    BasicBlock *tail = builder_.GetInsertBlock();
    at->addIncoming(next, tail);
    auto *branch = builder_.CreateCondBr(builder_.CreateICmpSLE(next, last), strip, done);
    if (work_item_.getInstructionCount() <= tiny_body)
        unroll(*branch, 4);
    builder_.SetInsertPoint(done);
    PHINode *rest = builder_.CreatePHI(builder_.getInt32Ty(), 2, "x");
    rest->addIncoming(x, before);
    rest->addIncoming(next, tail);
    return rest;
}

void Emitter::emit_strips(Value *x, Value *end) {
    BasicBlock *before = builder_.GetInsertBlock();
    BasicBlock *strip = new_block("strip");
    BasicBlock *done = new_block("strips.done");
    builder_.CreateCondBr(builder_.CreateICmpULT(x, end), strip, done);
    builder_.SetInsertPoint(strip);
    PHINode *at = builder_.CreatePHI(builder_.getInt32Ty(), 2, "x");
    at->addIncoming(x, before);
    Value *length =
        builder_.CreateIntrinsic(Intrinsic::experimental_get_vector_length, {builder_.getInt32Ty()},
                                 {builder_.CreateNUWSub(end, at),
                                  builder_.getInt32(strips_.lanes_per_vscale), builder_.getTrue()});
    emit_strip(at, length);
    Value *next = builder_.CreateAdd(at, length, "", true, true);
    at->addIncoming(next, builder_.GetInsertBlock());
    builder_.CreateCondBr(builder_.CreateICmpULT(next, end), strip, done);
    builder_.SetInsertPoint(done);
}

Function *Emitter::run() {
    row_ = create_row(work_item_);
    builder_.SetInsertPoint(new_block("entry"));
    DenseMap<Value *, Value *> parameters;
    for (Argument &argument : drop_begin(work_item_.args())) {
        parameters[&argument] = row_->getArg(argument.getArgNo() + 1);
        lanes_.set_scalar(&argument, parameters[&argument]);
    }
    for (Instruction &instruction : work_item_.getEntryBlock())
        if (auto *variable = dyn_cast<AllocaInst>(&instruction))
            lanes_.emit_variable(*variable);
    auto [x, end] = bounds_.narrowed(builder_, row_->getArg(0), row_->getArg(1), parameters);
    if (strips_.one || is_short()) {
        Value *rest = strips_.one ? x : emit_full_strips(x, end);
        BasicBlock *strip = new_block("last_strip");
        BasicBlock *done = new_block("done");
        builder_.CreateCondBr(builder_.CreateICmpULT(rest, end), strip, done);
        builder_.SetInsertPoint(strip);
        emit_strip(rest, builder_.CreateNUWSub(end, rest));
        builder_.CreateBr(done);
        builder_.SetInsertPoint(done);
    } else {
        emit_strips(x, end);
    }
    if (bounds_.has_tail()) {
        BasicBlock *tail = new_block("tail");
        BasicBlock *done = new_block("done");
        builder_.CreateCondBr(builder_.CreateICmpULT(row_->getArg(0), row_->getArg(1)), tail, done);
        builder_.SetInsertPoint(tail);
        bounds_.emit_tail(builder_, parameters);
        builder_.CreateBr(done);
        builder_.SetInsertPoint(done);
    }
    builder_.CreateRetVoid();
    repair_.run(*row_);
    row_->setSubprogram(work_item_.getSubprogram());
    work_item_.setSubprogram(nullptr);
    return row_;
}

} // namespace

Function *emit_row(Function &work_item, const ControlFlow &flow, const Shapes &shapes,
                   const RowBounds &bounds, Strips strips) {
    return Emitter(work_item, flow, shapes, bounds, strips).run();
}

} // namespace rivulet::compiler
