// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic that rounds towards zero, up or down (rounding_pragma.h). LLVM's optimiser and our
// vectoriser see calls of functions without side effects; in the end those are single
// instructions, of RVV or scalar.
#ifndef RIVULET_COMPILER_DIRECTED_ROUNDING_H
#define RIVULET_COMPILER_DIRECTED_ROUNDING_H

#include <optional>

#include <llvm/IR/Module.h>

namespace rivulet::compiler {

struct DirectedOperation {
    enum Kind { add, subtract, multiply, divide, fuse } kind;
    unsigned mode; // as in frm: RISC-V, 11.2
};
std::optional<DirectedOperation> directed_operation(const llvm::Function *callee);

// Of what clang made: constrained operations. Those that round to nearest become plain ones,
// conversions calls of the built-in library.
void lower_rounding_modes(llvm::Module &module, bool on_riscv);

// Around the vectoriser, as with high_product.h.
void keep_directed_operations(llvm::Module &module);
void inline_directed_operations(llvm::Module &module);

} // namespace rivulet::compiler

#endif
