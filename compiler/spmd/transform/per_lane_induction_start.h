// SPDX-License-Identifier: Apache-2.0
//
// for (j = first[x]; j < end[x]; j++) a[j] … counts alike in all lanes, each from a start of its
// own: as for (k = 0; k < length; k++) a[first + k], the count is a scalar, and offsets are made of
// it and what is known before the loop by one addition.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_PER_LANE_INDUCTION_START_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_PER_LANE_INDUCTION_START_H

#include <llvm/IR/PassManager.h>

namespace rivulet::compiler {

// Metadata of addresses: lanes that stay in the loop access memory there in each iteration, so that
// the first access lies in the same buffer, and no index wraps.
constexpr const char *in_each_iteration = "rivulet.each";

// Metadata of comparisons: the loop's only exit, which stays open once it is.
constexpr const char *only_way_out = "rivulet.out";

// Needs LaneAnalysis. True if there are such loops.
bool split_lane_inductions(llvm::Function &work_item, llvm::FunctionAnalysisManager &analyses);

} // namespace rivulet::compiler

#endif
