// SPDX-License-Identifier: Apache-2.0
//
// Work-items that do the same with some neighbours in memory, such as all components of a vector:
// rows of components, whose lanes are neighbours, too. One instruction is enough for all of them,
// and accesses are contiguous.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_COMPONENT_VECTORISATION_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_COMPONENT_VECTORISATION_H

#include <optional>

#include <llvm/IR/PassManager.h>

namespace rivulet::compiler {

struct Components {
    // Computes one component: parameter 0 is its number, from the first one of the work-item that
    // the last parameter names.
    llvm::Function *function;
    unsigned count; // of a work-item
};

// None if components of a work-item differ in what is done with them.
std::optional<Components> components_of(llvm::Function &work_item,
                                        llvm::FunctionAnalysisManager &analyses);

} // namespace rivulet::compiler

#endif
