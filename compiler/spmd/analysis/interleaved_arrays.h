// SPDX-License-Identifier: Apache-2.0
//
// Private arrays that are interleaved: element i of all lanes is contiguous
// (spmd/transform/interleave_private_arrays.h).
#ifndef RIVULET_COMPILER_SPMD_ANALYSIS_INTERLEAVED_ARRAYS_H
#define RIVULET_COMPILER_SPMD_ANALYSIS_INTERLEAVED_ARRAYS_H

#include <llvm/IR/Instructions.h>

namespace rivulet::compiler {

void mark_interleaved(llvm::AllocaInst &variable, unsigned element_bytes);

// Bytes of an element if the variable is interleaved, otherwise 0.
unsigned interleaved_bytes(const llvm::AllocaInst &variable);
// The interleaved array, or an element of it.
const llvm::AllocaInst *interleaved_array(const llvm::Value *address);
// An element of such an array; or null.
llvm::GetElementPtrInst *element_of_array(llvm::Value *address);

} // namespace rivulet::compiler

#endif
