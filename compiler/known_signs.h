// SPDX-License-Identifier: Apache-2.0
//
// Floating-point values whose sign bit is clear, NaNs included: the one that RISC-V makes has no
// sign (RISC-V F 2.2, 11.3). LLVM leaves the sign of NaNs open and so knows of none.
#ifndef RIVULET_COMPILER_KNOWN_SIGNS_H
#define RIVULET_COMPILER_KNOWN_SIGNS_H

#include <llvm/IR/Module.h>

namespace rivulet::compiler {

// Before inlining: what __builtin_assume says of sign bits, the built-in library of exponentials',
// becomes metadata of the instructions that make them; nothing is in the way of simplification.
void note_known_signs(llvm::Module &module);

// `copy` does in lanes what `original` does.
void keep_known_sign(const llvm::Instruction &original, llvm::Value &copy);

// As far as `depth` instructions tell.
bool is_never_negative(const llvm::Value &value, unsigned depth = 4);

} // namespace rivulet::compiler

#endif
