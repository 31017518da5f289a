// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_ANALYSIS_ENTRY_REMATERIALISATION_H
#define RIVULET_COMPILER_SPMD_ANALYSIS_ENTRY_REMATERIALISATION_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

namespace rivulet::compiler {

// Whether a few instructions without memory or effects compute the value from parameters of its
// function; parameters below `first` don't count.
bool is_recomputable(llvm::Value *value, unsigned first = 0);

// Whether such a value is computed from the parameter.
bool is_made_of(llvm::Value *value, const llvm::Argument &parameter);

// Computes such a value again at the builder's insert point. `known` maps parameters to their
// values there (those that are missing stay as they are), and records what was computed.
llvm::Value *recompute(llvm::IRBuilderBase &builder, llvm::Value *value,
                       llvm::DenseMap<llvm::Value *, llvm::Value *> &known);

} // namespace rivulet::compiler

#endif
