// SPDX-License-Identifier: Apache-2.0
//
// Kernels with sub-groups: a work-group is one row of its work-items in the order of their linear
// local id, of which each run of S is a sub-group (only the last one may be shorter). Parameter 0
// of the work-item function is the linear local id then, the other two ids are 0.
#ifndef RIVULET_COMPILER_WORKGROUP_LINEAR_IDS_H
#define RIVULET_COMPILER_WORKGROUP_LINEAR_IDS_H

#include <llvm/IR/IRBuilder.h>

#include "compiler/support/program.h"

namespace rivulet::compiler {

bool uses_sub_groups(const llvm::Function &function);

// 6.15.1: what a work-item asks about its sub-group, as arithmetic; and what the calls of
// sub-group functions may do, so that they stay where they are.
void lower_sub_group_queries(llvm::Function &work_item, uint32_t size);

// A call for the local id in one dimension, cheap enough to be repeated in each region …
llvm::Value *linear_local_id(llvm::IRBuilderBase &builder, llvm::Function &work_item,
                             unsigned dimension);
// … and its computation, once at the function's start. Nothing to compute in one dimension.
void expand_linear_local_ids(llvm::Function &work_item, const Kernel &kernel);

} // namespace rivulet::compiler

#endif
