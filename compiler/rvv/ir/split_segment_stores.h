// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_SPLIT_SEGMENT_STORES_H
#define RIVULET_COMPILER_RVV_IR_SPLIT_SEGMENT_STORES_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// The fields of a segment store are live together, in adjacent registers. Under register pressure
// this stores each field by a strided store, as soon as it is computed.
void split_segment_stores(llvm::Function &function);

} // namespace rivulet::compiler

#endif
