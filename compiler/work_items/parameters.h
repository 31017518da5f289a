// SPDX-License-Identifier: Apache-2.0
//
// The parameters of a work-item function: a kernel's body that gets everything it may ask about its
// position in the NDRange as parameters. Only the first three tell work-items of a group apart.
//
//   void BODY(i32 x, i32 y, i32 z, i32 …ids of the group…, ptr saved, ptr local, …arguments…)
#ifndef RIVULET_COMPILER_WORK_ITEMS_PARAMETERS_H
#define RIVULET_COMPILER_WORK_ITEMS_PARAMETERS_H

#include <llvm/ADT/StringRef.h>

namespace rivulet::compiler {

// Attribute of arguments that point into a small buffer (small_buffers.h).
constexpr llvm::StringLiteral buffer_mark = "rivulet.buffer";

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

} // namespace rivulet::compiler

#endif
