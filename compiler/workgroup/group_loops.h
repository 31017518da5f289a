// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_WORKGROUP_GROUP_LOOPS_H
#define RIVULET_COMPILER_WORKGROUP_GROUP_LOOPS_H

#include "compiler/workgroup/group_regions.h"

namespace rivulet::compiler {

struct GroupFunctions {
    llvm::Function *kernel = nullptr;
    llvm::Function *uneven = nullptr; // that it calls, or null
};

// Whether groups that the global size's end cuts short (5.8 of the API: only the last ones are)
// have a function of their own: with a required size. They are few, so it is made with less effort,
// and the kernel itself knows how large its groups are.
bool may_be_cut_short(const Kernel &kernel, bool flat);

// Builds void NAME(record, words, frame): takes chunks of work-groups until none is left, and
// runs the regions' rows for each group. Flat, it gets rows of work-items to run, too, from who
// takes the chunks (../runtime/dispatch.h).
GroupFunctions build_group_loop(const KernelParts &parts);

} // namespace rivulet::compiler

#endif
