// SPDX-License-Identifier: Apache-2.0
//
// A block in which more vectors live than there are registers: which are put away on the stack
// and fetched again, which are loaded or made again.
#ifndef RIVULET_COMPILER_RVV_IR_SPILL_REWRITER_H
#define RIVULET_COMPILER_RVV_IR_SPILL_REWRITER_H

#include <vector>

#include <llvm/IR/BasicBlock.h>

#include "compiler/analysis/alias_queries.h"
#include "compiler/rvv/ir/vector_liveness.h"

namespace rivulet::compiler {

// The metadata of stack slots that vectors are spilled to.
constexpr const char *spill_slot = "rivulet.put_away";

class RematCallbacks {
public:
    virtual ~RematCallbacks() = default;
    // The VL of spills and reloads of a value at a place. Null: all lanes.
    virtual llvm::Value *length(llvm::Value &value, llvm::Instruction &place) = 0;
    // Whether one instruction rematerialises the value, so that no reload is needed.
    virtual bool is_rematerialisable(const llvm::Instruction &value) const = 0;
    virtual llvm::Instruction *make(llvm::Instruction &value, llvm::Instruction &place) = 0;
};

struct SpillPlan {
    enum class How { fetched, copied };
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

// The cheapest of those that are tried.
SpillPlan plan_spills(llvm::BasicBlock &block, const VectorLiveness &liveness,
                      AliasQueries &aliases, RematCallbacks &copies);

// The one that uses the stack least, whatever it takes to make vectors again: several instructions,
// too.
SpillPlan plan_rematerialisation(llvm::BasicBlock &block, const VectorLiveness &liveness,
                                 AliasQueries &aliases, RematCallbacks &copies);

void spill(llvm::BasicBlock &block, const SpillPlan &plan, const VectorLiveness &liveness,
           RematCallbacks &copies);

} // namespace rivulet::compiler

#endif
