// SPDX-License-Identifier: Apache-2.0
//
// What the pass rvl-lane-inductions tells code generation of the loops that it has split.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_LANE_INDUCTIONS_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_LANE_INDUCTIONS_H

namespace rivulet::compiler {

// Metadata of addresses: lanes that stay in the loop access memory there in each iteration, so that
// the first access lies in the same buffer, and no index wraps.
constexpr const char *in_each_iteration = "rivulet.each";

// Metadata of comparisons: the loop's only exit, which stays open once it is.
constexpr const char *only_way_out = "rivulet.out";

} // namespace rivulet::compiler

#endif
