// SPDX-License-Identifier: Apache-2.0
//
// Work-items that do the same to several neighbours in memory, such as all components of a float4,
// become rows of components, with a lane for each. One instruction then computes all components,
// and accesses are contiguous; otherwise each component is a strided access and a computation of
// its own.
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

// Nothing if the function treats the components of a work-item differently.
std::optional<Components> components_of(llvm::Function &work_item,
                                        llvm::FunctionAnalysisManager &analyses);

} // namespace rivulet::compiler

#endif
