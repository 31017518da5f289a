// SPDX-License-Identifier: Apache-2.0
//
// The state of a row on its way to lanes, which row_codegen.cpp and loop_codegen.cpp share.
#ifndef RIVULET_COMPILER_SPMD_CODEGEN_ROW_CODEGEN_INTERNAL_H
#define RIVULET_COMPILER_SPMD_CODEGEN_ROW_CODEGEN_INTERNAL_H

#include "compiler/analysis/block_hotness.h"
#include "compiler/spmd/codegen/instruction_widener.h"
#include "compiler/spmd/codegen/row_codegen.h"
#include "compiler/spmd/codegen/ssa_repair.h"
#include "compiler/work_items/loop_metadata.h"

namespace rivulet::compiler {

inline bool is_vector(const llvm::Value *value) { return value->getType()->isVectorTy(); }

// A way into a node, with what its phi nodes get.
struct Incoming {
    llvm::BasicBlock *from =
        nullptr; // of a branch; lanes of a linear region come along under masks
    llvm::Value *mask = nullptr;
    llvm::SmallVector<llvm::Value *, 4> values;
    llvm::BasicBlock *source = nullptr; // the work-item's
    unsigned number = 0;                // of those of its scope, where it counts
};

// An iteration of a loop that lanes leave at different times.
struct Turn {
    llvm::SmallVector<llvm::Value *, 4> header; // what its phi nodes have
    llvm::SmallVector<llvm::Value *, 4> aside;  // results of the lanes that have left
    llvm::BasicBlock *put_aside = nullptr;      // what lanes would leave this block with is aside
    llvm::Value *live = nullptr;                // mask of the others
    llvm::Value *length = nullptr;              // or their number, when the last lanes leave first
};

// Where a lane's result of such a loop is once it has left: for each of the exit's phi nodes.
struct Result {
    enum Place {
        outside, // it is from before the loop
        header,  // a phi node of the header holds it
        next,    // so it does what the phi node gets next
        aside,
    };
    Place place = aside;
    unsigned index = 0;
};
using Results = llvm::SmallVector<Result, 4>;

// A level on its way to lanes.
struct Scope {
    explicit Scope(const Level &level) : level(level) {}

    const Level &level;
    llvm::DenseMap<unsigned, llvm::BasicBlock *> blocks;
    llvm::DenseMap<unsigned, llvm::SmallVector<Incoming>> incoming;
    unsigned ways = 0;    // so far
    unsigned guarded = 0; // ways from this one on begin in the code that is guarded now
    llvm::DenseMap<unsigned, llvm::Value *> masks;
    llvm::BasicBlock *header = nullptr; // of a uniform loop: where its branches go
    llvm::BasicBlock *exit = nullptr;
    llvm::SmallVector<Incoming> back;
    llvm::SmallVector<Incoming> exits; // lanes of the mask come by; those that leave are among them
    // The next two belong to a loop that lanes leave in different iterations.
    Turn *turn = nullptr;
    const Results *results = nullptr;
    llvm::SmallVector<Incoming> *leaves = nullptr; // branches to `exit`
    bool all_enter = false;                        // lanes below vl
    bool perhaps_empty = false;                    // it runs even where no lane is left
};

using Nodes = std::vector<unsigned>;

constexpr unsigned tiny_body = 24; // instructions

// The forms in which a phi's value is kept: lane 0's, all lanes', or both.
struct Kinds {
    bool first;
    bool all;
};
inline Kinds kinds(const Shape &shape) {
    return {shape.kind != Shape::varying, shape.kind == Shape::varying || shape.as_address};
}

class Emitter {
public:
    Emitter(llvm::Function &work_item, const ControlFlow &flow, const Shapes &shapes, Strips strips)
        : work_item_(work_item), flow_(flow), shapes_(shapes), strips_(strips),
          rare_(rare_blocks(work_item)), builder_(work_item.getContext()),
          lanes_(builder_, shapes, strips.lanes, strips.vlen, strips.sub_group) {}

    llvm::Function *run();

private:
    void emit_strip(llvm::Value *x, llvm::Value *length, uint64_t offset);
    void emit_work_items();
    void emit_rows();
    llvm::Value *emit_full_strips(llvm::Value *x, llvm::Value *end, unsigned at_once);
    void emit_last_strip(llvm::Value *x, llvm::Value *end);
    void emit_strips(llvm::Value *x, llvm::Value *end);
    bool is_short() const;
    bool wants_full_strips() const;
    void run_real(Scope &scope, const Nodes &nodes, llvm::Value *mask);
    void run_chain(Scope &scope, const Nodes &nodes, bool first_is_guarded);
    void join(llvm::SmallVector<Incoming> &ways);
    void run_guarded(Scope &scope, const Nodes &group, llvm::Value *mask);
    llvm::SmallVector<llvm::Value *, 4>
    emit_node(Scope &scope, unsigned n, llvm::Value *mask,
              const llvm::SmallVector<llvm::Value *, 4> &entering);
    llvm::SmallVector<llvm::Value *, 4>
    emit_loop(const Level &level, llvm::Value *mask,
              const llvm::SmallVector<llvm::Value *, 4> &entering);
    llvm::SmallVector<llvm::Value *, 4>
    emit_ordinary_loop(const Level &level, llvm::Value *mask,
                       const llvm::SmallVector<llvm::Value *, 4> &entering);
    Results place_results(const Level &level, llvm::ArrayRef<llvm::Value *> header) const;
    Turn next_turn(Scope &scope);
    llvm::SmallVector<llvm::Value *, 4> results_of(const Scope &scope);
    bool may_run_on(const Level &level) const;
    bool is_way_out(const Scope &scope, llvm::BasicBlock *block) const;
    llvm::BasicBlock *leave(Scope &scope, llvm::BasicBlock *block, llvm::Value *mask);

    void real_edge(Scope &scope, llvm::BasicBlock *from, llvm::BasicBlock *to, llvm::Value *mask);
    void linear_edges(Scope &scope, unsigned n, llvm::Value *mask);
    void add_edge(Scope &scope, llvm::BasicBlock *from, llvm::BasicBlock *to, Incoming edge);
    llvm::BasicBlock *target_block(Scope &scope, llvm::BasicBlock *to);
    llvm::BasicBlock *block_of(Scope &scope, unsigned n);
    llvm::BasicBlock *new_block(const llvm::Twine &name);

    llvm::SmallVector<llvm::Value *, 4> parts(llvm::BasicBlock *target, llvm::BasicBlock *from);
    llvm::SmallVector<llvm::PHINode *> create_phis(llvm::BasicBlock *target);
    void set_phis(llvm::BasicBlock *target, llvm::ArrayRef<llvm::Value *> values);
    llvm::SmallVector<llvm::Value *, 4> merge(llvm::BasicBlock *target,
                                              llvm::ArrayRef<Incoming> ways);
    llvm::SmallVector<llvm::Value *, 4> blend(llvm::ArrayRef<Incoming> ways);
    llvm::Value *merged(llvm::Value *length, llvm::Value *value, llvm::Value *otherwise);
    llvm::Value *chosen(llvm::Value *mask, llvm::Value *value, llvm::Value *otherwise);
    bool wants_both(const Scope &scope, unsigned n) const;
    Incoming run_alike(Scope &scope, unsigned n, const Nodes &region);
    llvm::Value *chain_mask(Scope &scope, unsigned n);
    llvm::Value *either(llvm::Value *a, llvm::Value *b);
    llvm::Value *as_mask(llvm::Value *mask);
    bool wants_guard(const Level &level, llvm::ArrayRef<unsigned> nodes) const;

    llvm::Function &work_item_;
    const ControlFlow &flow_;
    const Shapes &shapes_;
    Strips strips_;
    const RareBlocks rare_;
    llvm::IRBuilder<> builder_;
    Lanes lanes_;
    llvm::Function *row_ = nullptr;
    Repair repair_;
    bool twice_ = false; // what is emitted now is there under masks as well
};

} // namespace rivulet::compiler

#endif
