// SPDX-License-Identifier: Apache-2.0
//
// Spilling in a block whose register pressure exceeds the vector registers: which values are
// spilled and reloaded, which are loaded again or rematerialised.
#ifndef RIVULET_COMPILER_RVV_IR_SPILL_REWRITER_H
#define RIVULET_COMPILER_RVV_IR_SPILL_REWRITER_H

#include <vector>

#include <llvm/IR/BasicBlock.h>

#include "compiler/analysis/alias_queries.h"
#include "compiler/rvv/ir/vector_liveness.h"

namespace rivulet::compiler {

// The metadata of stack slots that vectors are spilled to.
constexpr const char *spill_slot = "rivulet.spilled";

class RematCallbacks {
public:
    virtual ~RematCallbacks() = default;
    // The VL of spills and reloads of a value before an instruction. Null: all lanes.
    virtual llvm::Value *vl_for(llvm::Value &value, llvm::Instruction &before) = 0;
    // Whether one instruction rematerialises the value, so that no reload is needed.
    virtual bool is_rematerialisable(const llvm::Instruction &value) const = 0;
    virtual llvm::Instruction *rematerialise(llvm::Instruction &value,
                                             llvm::Instruction &before) = 0;
};

struct SpillPlan {
    enum class How { reload, rematerialise };
    struct Step {
        size_t before; // which of `order`
        llvm::Value *value;
        How how;
    };
    std::vector<llvm::Instruction *> order;
    std::vector<Step> steps;
    unsigned cost = 0; // in instructions
    bool fits = true;

    size_t reloads() const; // from the stack
};

// The cheapest plan of those that are tried.
SpillPlan plan_spills(llvm::BasicBlock &block, const VectorLiveness &liveness,
                      AliasQueries &aliases, RematCallbacks &callbacks);

// The plan with the fewest stack accesses, even where a rematerialisation takes several
// instructions.
SpillPlan plan_rematerialisation(llvm::BasicBlock &block, const VectorLiveness &liveness,
                                 AliasQueries &aliases, RematCallbacks &callbacks);

void spill(llvm::BasicBlock &block, const SpillPlan &plan, const VectorLiveness &liveness,
           RematCallbacks &callbacks);

} // namespace rivulet::compiler

#endif
