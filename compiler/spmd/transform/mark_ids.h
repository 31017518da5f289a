// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_MARK_IDS_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_MARK_IDS_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Does the work of the pass rvl-mark-ids, for transforms that make sums of ids themselves.
void mark_ids(llvm::Function &work_item);

} // namespace rivulet::compiler

#endif
