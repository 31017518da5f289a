// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_WORKGROUP_GROUP_LOOP_H
#define RIVULET_COMPILER_WORKGROUP_GROUP_LOOP_H

#include "compiler/workgroup/regions.h"

namespace rivulet::compiler {

// Builds void NAME(record, words, frame): takes chunks of work-groups until none is left, and
// runs the regions' rows for each group, or, flat, for all work-items of the chunk at once.
// `rows` are one per region.
llvm::Function *build_group_loop(const Kernel &kernel, const Regions &regions,
                                 llvm::ArrayRef<llvm::Function *> rows, bool flat);

} // namespace rivulet::compiler

#endif
