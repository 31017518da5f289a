// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous copies of devices whose firmware drives a copy engine (RVL_COPY_EXTENSION): one
// work-item of the group starts them by an ecall, and another one waits for them.
#ifndef RIVULET_COMPILER_WORKGROUP_ENGINE_COPY_H
#define RIVULET_COMPILER_WORKGROUP_ENGINE_COPY_H

#include <llvm/IR/Instructions.h>

#include "compiler/support/program.h"

namespace rivulet::compiler {

bool has_copy_engine(const Target &target);

// Whether the function calls what an engine can do.
bool has_copies(llvm::Function &work_item);

// Starts async_work_group_copy or async_work_group_strided_copy.
void lower_engine_copy(llvm::CallInst &call, llvm::Function &work_item, bool has_linear_ids);

// Adds a wait before each call that ends or orders copies, and before each return that a copy may
// reach without one: the next group on this hart has the same local memory. To be called before
// lower_engine_copy.
void add_copy_waits(llvm::Function &work_item, bool has_linear_ids);

} // namespace rivulet::compiler

#endif
