// SPDX-License-Identifier: Apache-2.0
//
// Loops that the last lanes leave first: `for (i = x; i < n; i += u)`.
#ifndef RIVULET_COMPILER_SPMD_ANALYSIS_SHRINKING_VL_LOOPS_H
#define RIVULET_COMPILER_SPMD_ANALYSIS_SHRINKING_VL_LOOPS_H

#include <optional>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstrTypes.h>

#include "compiler/spmd/analysis/uniformity.h"

namespace rivulet::compiler {

// A lane stays in the loop if `index` compares to the uniform `limit` as `stays` says. Each lane's
// index is that of the lane before plus one, without a wrap.
struct ShrinkingVlLoop {
    llvm::CmpInst::Predicate stays; // less, or less or equal
    llvm::Value *index;
    llvm::Value *limit;
};

std::optional<ShrinkingVlLoop> find_shrinking_vl_loop(llvm::Loop &loop,
                                                      const Uniformity &uniformity);

} // namespace rivulet::compiler

#endif
