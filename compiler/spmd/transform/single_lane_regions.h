// SPDX-License-Identifier: Apache-2.0
//
// `if (x == 0) …`: what one work-item does alone, with its x instead of x. Then it is the same for
// all lanes: scalar instructions, behind one scalar comparison.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_SINGLE_LANE_REGIONS_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_SINGLE_LANE_REGIONS_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Returns true if it found such a region.
bool settle_single_lane_regions(llvm::Function &work_item);

} // namespace rivulet::compiler

#endif
