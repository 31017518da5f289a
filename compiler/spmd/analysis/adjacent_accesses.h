// SPDX-License-Identifier: Apache-2.0
//
// Neighbours in memory, such as the components of a vector or the fields of a structure.
#ifndef RIVULET_COMPILER_SPMD_ANALYSIS_ADJACENT_ACCESSES_H
#define RIVULET_COMPILER_SPMD_ANALYSIS_ADJACENT_ACCESSES_H

#include <tuple>

#include <llvm/IR/ValueHandle.h>

#include "compiler/spmd/analysis/stride_analysis.h"

namespace rivulet::compiler {

constexpr unsigned most_fields = 8; // RISC-V V 1.0, 7.8

// The memory that a pointer points to, as a base and a number of bytes.
std::pair<const llvm::Value *, int64_t> base_and_offset(const llvm::Value *pointer,
                                                        const llvm::DataLayout &layout);

// The loads of a function by the memory that they read: finding a load's neighbours takes no walk
// through its block. Loads may be deleted; loads that are inserted later are not found.
class LoadsByAddress {
public:
    explicit LoadsByAddress(llvm::Function &function);

    // The loads that read the memory after that of the first one, before anything is written.
    llvm::SmallVector<llvm::LoadInst *, 8> of_fields(llvm::LoadInst &first) const;

private:
    struct Place {
        unsigned run = 0;      // of instructions that write nothing
        unsigned position = 0; // in the function
    };
    // Run, type, base and offset.
    using Key = std::tuple<unsigned, llvm::Type *, const llvm::Value *, int64_t>;
    llvm::DenseMap<Key, llvm::SmallVector<std::pair<unsigned, llvm::WeakVH>, 1>> loads_;
    llvm::DenseMap<const llvm::LoadInst *, Place> places_;
};

// The stores of neighbouring fields with nothing between them that touches memory but loads of
// constants, in the order of their offsets; empty if the fields have a gap.
llvm::SmallVector<llvm::StoreInst *, 8> stores_of_fields(llvm::StoreInst &first);

} // namespace rivulet::compiler

#endif
