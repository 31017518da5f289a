// SPDX-License-Identifier: Apache-2.0
//
// Metadata by which the pass rvl-lane-inductions tells code generation about loops that it has
// split.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_LANE_INDUCTIONS_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_LANE_INDUCTIONS_H

namespace rivulet::compiler {

// On a GEP: lanes that stay in the loop access this address in each iteration, so the addresses of
// all iterations are in one buffer and no index wraps.
constexpr const char *in_each_iteration = "rivulet.each";

// On a comparison: it decides the loop's only exit, and a lane that left would leave again in each
// later iteration. Code generation needs no mask of the lanes that are left.
constexpr const char *only_way_out = "rivulet.out";

} // namespace rivulet::compiler

#endif
