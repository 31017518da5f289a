// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic that rounds towards zero, up or down (frontend/rounding_pragma.h). LLVM's optimiser
// and our vectoriser see calls of functions without side effects; in the end those are single
// instructions, of RVV or scalar.
#ifndef RIVULET_COMPILER_LOWERING_ROUNDING_MODES_H
#define RIVULET_COMPILER_LOWERING_ROUNDING_MODES_H

#include <optional>

#include <llvm/IR/Module.h>

namespace rivulet::compiler {

struct DirectedOperation {
    enum Kind { add, subtract, multiply, divide, fuse } kind;
    unsigned mode; // as in frm: RISC-V, 11.2
};

// The operation that the callee is, if any; the callee of an indirect call is null.
std::optional<DirectedOperation> directed_operation(const llvm::Function *callee);

// Before inlining: calls of those functions stay calls (delayed_inlining.h).
void keep_directed_operations(llvm::Module &module);

// After the work-group pass: what is still called is inlined; not on the host, where a function
// that changes the rounding mode stays by itself.
void inline_directed_operations(llvm::Module &module);

} // namespace rivulet::compiler

#endif
