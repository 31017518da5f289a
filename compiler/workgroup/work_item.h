// SPDX-License-Identifier: Apache-2.0
//
// The work-item function: a kernel's body with everything that it may ask about its place in the
// NDRange as parameters. Only the first three tell work-items of a group apart.
//
//   void BODY(i32 x, i32 y, i32 z, i32 …place of the group…, ptr saved, ptr local, …arguments…)
#ifndef RIVULET_COMPILER_WORKGROUP_WORK_ITEM_H
#define RIVULET_COMPILER_WORKGROUP_WORK_ITEM_H

#include <llvm/IR/Function.h>

#include "compiler/kernel.h"

namespace rivulet::compiler {

// The parameters that come before the kernel's own arguments. All i32 but saved and local, and
// all non-negative: sizes are checked at enqueue to be below 2^31.
namespace parameter {
enum : unsigned {
    id = 0,                  // local id; in a flat kernel global id less the offset
    first_id = 3,            // global id of the work-item with id 0
    local_size = 6,          // of this group
    enqueued_local_size = 9, // of full groups
    group_id = 12,
    num_groups = 15,
    global_size = 18,
    global_offset = 21,
    work_dim = 24,
    work_items = 25, // of a full group
    saved = 26,      // ptr: values that live over boundaries
    local = 27,      // ptr addrspace(3): local memory
    count = 28,
};
} // namespace parameter

struct WorkItem {
    llvm::Function *function = nullptr;
    bool asks_for_group = false; // for ids and sizes of work-groups, or has boundaries
    bool sub_groups = false;     // ids are linear (linear_ids.h)
    uint32_t local_bytes = 0;    // variables in local memory
};

// Moves the kernel's body into a work-item function: work-item functions become arithmetic on
// parameters, variables in local memory offsets from `local`, async copies a loop over this
// work-item's share, prefetch nothing.
// Sub-groups, if it has any, are of kernel.sub_group_size.
WorkItem make_work_item(const Kernel &kernel);

} // namespace rivulet::compiler

#endif
