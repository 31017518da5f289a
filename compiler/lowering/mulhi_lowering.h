// SPDX-License-Identifier: Apache-2.0
//
// mul_hi (6.12.3) stays a call until work-items are lanes: expanded, it is a product with twice as
// many bits, which halves the number of lanes or prevents vectorization, and simplifications turn
// its parts into code without matching vector instructions.
#ifndef RIVULET_COMPILER_LOWERING_MULHI_LOWERING_H
#define RIVULET_COMPILER_LOWERING_MULHI_LOWERING_H

#include <optional>

#include <llvm/IR/Module.h>

namespace rivulet::compiler {

enum class MulhiKind { of_signed, of_unsigned };

// The kind of mul_hi that the callee is, if any; the callee of an indirect call is null.
std::optional<MulhiKind> mulhi_kind(const llvm::Function *callee);

// Before inlining: calls of the library's mul_hi stay calls (delayed_inlining.h).
void delay_mulhi(llvm::Module &module);

// After the work-group pass: what is still called is written out.
void inline_mulhi(llvm::Module &module);

} // namespace rivulet::compiler

#endif
