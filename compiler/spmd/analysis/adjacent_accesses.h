// SPDX-License-Identifier: Apache-2.0
//
// Neighbours in memory, such as the components of a vector or the fields of a structure.
#ifndef RIVULET_COMPILER_SPMD_ANALYSIS_ADJACENT_ACCESSES_H
#define RIVULET_COMPILER_SPMD_ANALYSIS_ADJACENT_ACCESSES_H

#include "compiler/spmd/analysis/stride_analysis.h"

namespace rivulet::compiler {

constexpr unsigned most_fields = 8; // RISC-V V 1.0, 7.8

// The memory that a pointer points to, as a base and a number of bytes.
std::pair<const llvm::Value *, int64_t> base_and_offset(const llvm::Value *pointer,
                                                        const llvm::DataLayout &layout);

// The loads that read the memory after that of the first one, before anything is written.
llvm::SmallVector<llvm::LoadInst *, 8> loads_of_fields(llvm::LoadInst &first);

} // namespace rivulet::compiler

#endif
