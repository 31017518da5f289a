// SPDX-License-Identifier: Apache-2.0
//
// Work-item functions with x and y exchanged. Lanes of such a function are neighbours in y, so that
// one strip runs a column of the NDRange: at a border that is one work-item wide, a row of lanes
// would run a strip for each y to do one work-item in it.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_EXCHANGE_IDS_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_EXCHANGE_IDS_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// A clone in which all parameters that exist for each dimension are those of the other one of x and
// y, so that what is known of them by their number still holds (analysis/global_ids.h).
llvm::Function *exchange_ids(llvm::Function &work_item);

// The arguments of such a clone from those of the original, or the other way round.
void exchange_ids(llvm::MutableArrayRef<llvm::Value *> arguments);

} // namespace rivulet::compiler

#endif
