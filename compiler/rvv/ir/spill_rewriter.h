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
constexpr const char *put_away_slot = "rivulet.put_away";

class Copies {
public:
    virtual ~Copies() = default;
    // The VL of spills and reloads of a value at a place. Null: all lanes.
    virtual llvm::Value *length(llvm::Value &value, llvm::Instruction &place) = 0;
    // Whether one instruction rematerialises the value, so that no reload is needed.
    virtual bool may_be_made(const llvm::Instruction &value) const = 0;
    virtual llvm::Instruction *make(llvm::Instruction &value, llvm::Instruction &place) = 0;
};

struct PutAway {
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

    size_t fetches() const; // from the stack
};

// The cheapest of those that are tried.
PutAway plan_putting_away(llvm::BasicBlock &block, const VectorLiveness &liveness, Aliases &aliases,
                          Copies &copies);

// The one that uses the stack least, whatever it takes to make vectors again: several instructions,
// too.
PutAway plan_making_again(llvm::BasicBlock &block, const VectorLiveness &liveness, Aliases &aliases,
                          Copies &copies);

void put_away(llvm::BasicBlock &block, const PutAway &plan, const VectorLiveness &liveness,
              Copies &copies);

} // namespace rivulet::compiler

#endif
