// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_WORKGROUP_ASYNC_COPY_H
#define RIVULET_COMPILER_WORKGROUP_ASYNC_COPY_H

#include <llvm/IR/Instructions.h>

namespace rivulet::compiler {

// 6.15.12: async_work_group_copy and async_work_group_strided_copy become a loop of each
// work-item over its share of the elements; wait_group_events is the boundary that ends them.
void lower_async_copy(llvm::CallInst &call, llvm::Function &work_item);

} // namespace rivulet::compiler

#endif
