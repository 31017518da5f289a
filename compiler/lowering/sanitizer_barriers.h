// SPDX-License-Identifier: Apache-2.0
//
// -rv-sanitize=address: detects barriers that only some work-items of a group reach. Each work-item
// records where it arrives, at a boundary or at its end; one that arrives at a different place from
// another work-item of its group in the same region (workgroup/parallel_regions.h) reports both.
#ifndef RIVULET_COMPILER_LOWERING_SANITIZER_BARRIERS_H
#define RIVULET_COMPILER_LOWERING_SANITIZER_BARRIERS_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Inserts checks before each boundary and return of a kernel that has boundaries; true if there are
// any.
bool check_arrivals(llvm::Function &kernel);

} // namespace rivulet::compiler

#endif
