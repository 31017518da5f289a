// SPDX-License-Identifier: Apache-2.0
//
// The state of a row while it is emitted, which row_codegen.cpp and loop_codegen.cpp share.
#ifndef RIVULET_COMPILER_SPMD_CODEGEN_ROW_CODEGEN_INTERNAL_H
#define RIVULET_COMPILER_SPMD_CODEGEN_ROW_CODEGEN_INTERNAL_H

#include "compiler/analysis/block_hotness.h"
#include "compiler/spmd/codegen/instruction_widener.h"
#include "compiler/spmd/codegen/row_codegen.h"
#include "compiler/spmd/codegen/ssa_repair.h"
#include "compiler/work_items/loop_metadata.h"

namespace rivulet::compiler {

inline bool is_vector(const llvm::Value *value) { return value->getType()->isVectorTy(); }

// An edge into a node, with the values for its phi nodes.
struct IncomingEdge {
    llvm::BasicBlock *from =
        nullptr; // of a branch; null: lanes of a predicated region arrive under masks
    llvm::Value *mask = nullptr;
    llvm::SmallVector<llvm::Value *, 4> values;
    llvm::BasicBlock *source = nullptr; // the work-item's, unless several edges were merged
    unsigned number = 0;                // within its scope; 0: of a branch that all take
};

// An iteration of a loop that lanes leave at different times.
struct Iteration {
    llvm::SmallVector<llvm::Value *, 4> header; // values of its phi nodes
    llvm::SmallVector<llvm::Value *, 4> aside;  // results of the lanes that have left
    // The exits whose values are aside for all lanes that are left, or null: of each result aside.
    llvm::SmallVector<llvm::BasicBlock *, 4> put_aside;
    llvm::Value *live = nullptr;   // mask of the others
    llvm::Value *length = nullptr; // or their number, when the last lanes leave first
};

// Where a lane's result of such a loop is kept once the lane has left: one for each of the exit's
// phi nodes.
struct ExitValue {
    enum Kind {
        outside, // it is `usual`, unless all lanes that are left leave together
        header,  // a phi node of the header holds it
        next,    // it is the next value of such a phi node
        aside,   // a phi node of its own
    };
    Kind kind = aside;
    unsigned index = 0;
    // A value from before the loop, which lanes leave with by some of the exits that they take one
    // by one. It is aside from the beginning.
    llvm::Value *usual = nullptr;
};
using Results = llvm::SmallVector<ExitValue, 4>;

// The state of a loop's body, or of the function, while it is emitted.
struct RegionState {
    explicit RegionState(const LoopRegion &level) : level(level) {}

    const LoopRegion &level;
    llvm::DenseMap<unsigned, llvm::BasicBlock *> blocks;
    llvm::DenseMap<unsigned, llvm::SmallVector<IncomingEdge>> incoming;
    unsigned edges = 0;   // edges so far
    unsigned guarded = 0; // edges from this one on begin in the code that is guarded now
    llvm::DenseMap<unsigned, llvm::Value *> masks;
    llvm::BasicBlock *header = nullptr; // of a uniform loop: where its branches go
    llvm::BasicBlock *exit = nullptr;
    llvm::SmallVector<IncomingEdge> back;
    // Their masks contain the lanes that leave and, unless `exact_exits`, perhaps others that are
    // in the loop.
    llvm::SmallVector<IncomingEdge> exits;
    bool exact_exits = false;
    // The next two belong to a loop that lanes leave in different iterations.
    Iteration *iteration = nullptr;
    const Results *results = nullptr;
    llvm::SmallVector<IncomingEdge> *leaves = nullptr; // branches to `exit`
    bool all_enter = false;                            // all lanes below vl enter the loop
    bool perhaps_empty = false;                        // the iteration runs even if no lane is left
};

using Nodes = std::vector<unsigned>;

// The forms in which a phi's value is kept: lane 0's, all lanes', or both.
struct Kinds {
    bool first;
    bool all;
};
inline Kinds kinds(const Stride &shape) {
    return {shape.kind != Stride::varying, shape.kind == Stride::varying || shape.modulo_2_32};
}

class RowCodegen {
public:
    RowCodegen(llvm::Function &work_item, const ControlFlow &flow, const StrideAnalysis &strides,
               StripOptions strips)
        : work_item_(work_item), flow_(flow), strides_(strides), strips_(strips),
          rare_(rare_blocks(work_item)), builder_(work_item.getContext()),
          widener_(builder_, strides, strips.lanes, strips.vlen, strips.widest, strips.sub_group) {}

    llvm::Function *run();

private:
    void emit_strip(llvm::Value *x, llvm::Value *length, uint64_t offset);
    void emit_work_items();
    void emit_rows();
    llvm::Value *emit_full_strips(llvm::Value *x, llvm::Value *end, unsigned at_once);
    void emit_last_strip(llvm::Value *x, llvm::Value *end);
    void emit_strips(llvm::Value *x, llvm::Value *end);
    bool is_straight() const;
    bool is_short() const;
    bool wants_full_strips() const;
    void emit_branches(RegionState &scope, const Nodes &nodes, llvm::Value *mask);
    void emit_predicated(RegionState &scope, const Nodes &nodes, bool first_is_guarded);
    void merge_edges(llvm::SmallVector<IncomingEdge> &edges, size_t from);
    void merge_guarded_edges(RegionState &scope, const Nodes &group);
    void emit_guarded(RegionState &scope, const Nodes &group, llvm::Value *mask);
    llvm::SmallVector<llvm::Value *, 4>
    emit_node(RegionState &scope, unsigned n, llvm::Value *mask,
              const llvm::SmallVector<llvm::Value *, 4> &entering);
    llvm::SmallVector<llvm::Value *, 4>
    emit_loop(const LoopRegion &level, llvm::Value *mask,
              const llvm::SmallVector<llvm::Value *, 4> &entering);
    llvm::SmallVector<llvm::Value *, 4>
    emit_ordinary_loop(const LoopRegion &level, llvm::Value *mask,
                       const llvm::SmallVector<llvm::Value *, 4> &entering);
    Results classify_results(const LoopRegion &level, llvm::ArrayRef<llvm::Value *> header) const;
    void find_usual(const LoopRegion &level, const llvm::PHINode &phi, ExitValue &result) const;
    llvm::Value *next_aside(const RegionState &scope, const llvm::PHINode &phi, unsigned i);
    Iteration next_iteration(RegionState &scope);
    llvm::SmallVector<llvm::Value *, 4> results_of(const RegionState &scope);
    bool may_run_empty(const LoopRegion &level) const;
    bool is_way_out(const RegionState &scope, llvm::BasicBlock *block) const;
    llvm::BasicBlock *leave(RegionState &scope, llvm::BasicBlock *block, llvm::Value *mask);

    void add_branch_edge(RegionState &scope, llvm::BasicBlock *from, llvm::BasicBlock *to,
                         llvm::Value *mask);
    void add_predicated_edges(RegionState &scope, unsigned n, llvm::Value *mask);
    void add_edge(RegionState &scope, llvm::BasicBlock *from, llvm::BasicBlock *to,
                  IncomingEdge edge);
    llvm::BasicBlock *target_block(RegionState &scope, llvm::BasicBlock *to);
    llvm::BasicBlock *block_of(RegionState &scope, unsigned n);
    llvm::BasicBlock *new_block(const llvm::Twine &name);

    llvm::SmallVector<llvm::Value *, 4> parts(llvm::BasicBlock *target, llvm::BasicBlock *from);
    llvm::SmallVector<llvm::PHINode *> create_phis(llvm::BasicBlock *target);
    void set_phis(llvm::BasicBlock *target, llvm::ArrayRef<llvm::Value *> values);
    llvm::SmallVector<llvm::Value *, 4> merge(llvm::BasicBlock *target,
                                              llvm::ArrayRef<IncomingEdge> edges);
    llvm::SmallVector<llvm::Value *, 4> blend(llvm::ArrayRef<IncomingEdge> edges);
    llvm::Value *merged(llvm::Value *length, llvm::Value *value, llvm::Value *otherwise);
    llvm::Value *chosen(llvm::Value *mask, llvm::Value *value, llvm::Value *otherwise);
    bool wants_versions(const RegionState &scope, unsigned n) const;
    IncomingEdge emit_uniform_version(RegionState &scope, unsigned n, const Nodes &region);
    void remark_on_mask(llvm::Value *mask, const llvm::BranchInst &branch, bool leaves_loop);
    llvm::Value *rare_path_test(RegionState &scope, unsigned n, const Nodes &region);
    llvm::BasicBlock *emit_rare_path_test(llvm::Value *may, llvm::BasicBlock *around);
    llvm::Value *chain_mask(RegionState &scope, unsigned n);
    llvm::Value *either(llvm::Value *a, llvm::Value *b);
    llvm::Value *as_mask(llvm::Value *mask);
    bool should_guard(const LoopRegion &level, llvm::ArrayRef<unsigned> nodes) const;

    llvm::Function &work_item_;
    const ControlFlow &flow_;
    const StrideAnalysis &strides_;
    StripOptions strips_;
    const RareBlocks rare_;
    llvm::IRBuilder<> builder_;
    InstructionWidener widener_;
    llvm::Function *row_ = nullptr;
    SsaRepair repair_;
    bool twice_ = false; // the code is emitted under masks as well
};

} // namespace rivulet::compiler

#endif
