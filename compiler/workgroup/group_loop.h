// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_WORKGROUP_GROUP_LOOP_H
#define RIVULET_COMPILER_WORKGROUP_GROUP_LOOP_H

#include "compiler/workgroup/group_regions.h"

namespace rivulet::compiler {

struct GroupFunctions {
    llvm::Function *kernel = nullptr;
    llvm::Function *uneven = nullptr; // that it calls, or null
};

// Builds void NAME(record, words, frame): takes chunks of work-groups until none is left, and
// runs the regions' rows for each group. Flat, it gets rows of work-items to run, too, from who
// takes the chunks (../runtime/dispatch.h).
//
// With a required size, groups that the global size's end cuts short (5.8 of the API: only the last
// ones are) have a function of their own: they are few, so it is made with less effort, and the
// kernel itself knows how large its groups are.
GroupFunctions build_group_loop(const KernelParts &parts);

} // namespace rivulet::compiler

#endif
