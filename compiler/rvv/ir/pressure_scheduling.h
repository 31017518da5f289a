// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_PRESSURE_SCHEDULING_H
#define RIVULET_COMPILER_RVV_IR_PRESSURE_SCHEDULING_H

#include <vector>

#include "compiler/analysis/alias_queries.h"
#include "compiler/rvv/ir/vector_liveness.h"

namespace rivulet::compiler {

// The order that operands and memory impose on a block's instructions.
class Dependences {
public:
    Dependences(llvm::BasicBlock &block, AliasQueries &aliases);

    std::vector<llvm::Instruction *> order; // as it is
    llvm::DenseMap<llvm::Instruction *, unsigned> followers;
    llvm::DenseMap<llvm::Instruction *, llvm::SmallVector<llvm::Instruction *, 4>> before;

private:
    void add(llvm::Instruction *earlier, llvm::Instruction *later);
};

// Schedules the latest demand first, going backwards.
constexpr unsigned depth_first = ~0u;

// Keeps the order while no more than `enough` registers are live, else makes as few live as
// possible.
std::vector<llvm::Instruction *> in_order(const llvm::BasicBlock &block,
                                          const VectorLiveness &liveness,
                                          const Dependences &dependences, unsigned enough);

// Gives a block's instructions the order in which the fewest vector registers are in use at a time,
// of those that are tried. Nothing changes where it isn't more than `enough`.
void reorder(llvm::BasicBlock &block, const VectorLiveness &liveness, AliasQueries &aliases,
             unsigned enough);

} // namespace rivulet::compiler

#endif
