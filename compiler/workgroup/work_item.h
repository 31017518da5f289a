// SPDX-License-Identifier: Apache-2.0
//
// From a kernel to its work-item function, whose parameters are those of work_items/parameters.h.
#ifndef RIVULET_COMPILER_WORKGROUP_WORK_ITEM_H
#define RIVULET_COMPILER_WORKGROUP_WORK_ITEM_H

#include <llvm/IR/Function.h>

#include "compiler/support/program.h"
#include "compiler/work_items/parameters.h"

namespace rivulet::compiler {

struct WorkItem {
    llvm::Function *function = nullptr;
    bool asks_for_group = false; // for ids and sizes of work-groups, or has boundaries
    bool sub_groups = false;     // ids are linear (linear_ids.h)
    bool copies_by_engine = false;
    uint32_t local_bytes = 0; // variables in local memory
};

// Moves the kernel's body into a work-item function: work-item functions become arithmetic on
// parameters, variables in local memory offsets from `local`, async copies a loop over this
// work-item's share or calls of the firmware (engine_copy.h), prefetch nothing.
// Sub-groups, if it has any, are of kernel.sub_group_size.
WorkItem make_work_item(const Kernel &kernel, bool has_copy_engine);

} // namespace rivulet::compiler

#endif
