// SPDX-License-Identifier: Apache-2.0
//
// Floating-point values whose sign bit is clear, even if they are NaNs: the NaN that RISC-V
// generates has no sign (RISC-V F 2.2, 11.3). LLVM leaves the sign of NaNs open, so it can't tell.
#ifndef RIVULET_COMPILER_ANALYSIS_FP_SIGN_BIT_FACTS_H
#define RIVULET_COMPILER_ANALYSIS_FP_SIGN_BIT_FACTS_H

#include <llvm/IR/Function.h>

#include "compiler/analysis/limits.h"

namespace rivulet::compiler {

// A function of the built-in library may state sign bits by __builtin_assume. This turns the
// assumptions into metadata of the instructions that compute the values, where they don't disturb
// other passes. The facts hold for all arguments, including those of inactive lanes.
void record_sign_bit_facts(llvm::Function &function);

// Keeps the fact when `original` is widened to `copy`.
void keep_known_sign(const llvm::Instruction &original, llvm::Value &copy);

// Looks through at most `depth` instructions.
bool is_never_negative(const llvm::Value &value, unsigned depth = never_negative_max_depth);

} // namespace rivulet::compiler

#endif
