// SPDX-License-Identifier: Apache-2.0
//
// Floating-point values whose sign bit is clear, NaNs included: the one that RISC-V makes has no
// sign (RISC-V F 2.2, 11.3). LLVM leaves the sign of NaNs open and so knows of none.
#ifndef RIVULET_COMPILER_ANALYSIS_FP_SIGN_BIT_FACTS_H
#define RIVULET_COMPILER_ANALYSIS_FP_SIGN_BIT_FACTS_H

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// What __builtin_assume says of the sign bits of a function of the built-in library becomes
// metadata of the instructions that make them, and is in nobody's way. It holds for all arguments,
// also those of lanes that aren't active.
void note_known_signs(llvm::Function &function);

// `copy` does in lanes what `original` does.
void keep_known_sign(const llvm::Instruction &original, llvm::Value &copy);

// As far as `depth` instructions tell.
bool is_never_negative(const llvm::Value &value, unsigned depth = 4);

} // namespace rivulet::compiler

#endif
