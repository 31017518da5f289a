// SPDX-License-Identifier: Apache-2.0
//
// Boundaries: calls at which all work-items of a group wait for each other, or exchange values.
#ifndef RIVULET_COMPILER_WORKGROUP_REGION_BOUNDARIES_H
#define RIVULET_COMPILER_WORKGROUP_REGION_BOUNDARIES_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>

#include "compiler/workgroup/parallel_regions.h"

namespace rivulet::compiler {

// Fills regions.boundaries. Each call is alone in its block then, before an unconditional branch;
// the operands and results of collectives are variables that live over it.
void find_boundaries(llvm::Function &work_item, Regions &regions);

// The boundary in each block that has one.
using Ends = llvm::DenseMap<const llvm::BasicBlock *, unsigned>;
Ends find_ends(const Regions &regions);

// The blocks that are reached from one without crossing a boundary.
llvm::SetVector<llvm::BasicBlock *> reached(llvm::BasicBlock *start, const Ends &ends);

// 6.15.8 wants boundaries in uniform control flow, but kernels that let some work-items return
// before a barrier are common; GPUs run them. Those work-items stay away from later regions.
bool may_return_early(llvm::Function &work_item, const Regions &regions);

} // namespace rivulet::compiler

#endif
