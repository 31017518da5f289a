// SPDX-License-Identifier: Apache-2.0
//
// Fields of the launch record that a kernel reads, as values at its entry.
#ifndef RIVULET_COMPILER_WORKGROUP_LAUNCH_VALUES_H
#define RIVULET_COMPILER_WORKGROUP_LAUNCH_VALUES_H

#include <array>

#include <llvm/IR/IRBuilder.h>

#include "compiler/support/program.h"

namespace rivulet::compiler {

using Dimensions = std::array<llvm::Value *, 3>;

struct LaunchValues {
    Dimensions global_size; // all i32: below 2^31, checked at enqueue
    Dimensions global_offset;
    Dimensions local_size; // of full groups
    Dimensions group_count;
    llvm::Value *dimensions;
    llvm::Value *total_groups;
    llvm::Value *chunk;
    llvm::Value *work_items; // of a full group
    llvm::Value *saved;
    llvm::Value *local;
    llvm::Value *local_bytes;
    llvm::SmallVector<llvm::Value *> arguments;
};

// &frame.field, &words.field, …
llvm::Value *field(llvm::IRBuilderBase &builder, llvm::Value *structure, size_t offset);

// `function` is void(record, words, frame).
LaunchValues load_launch(llvm::IRBuilderBase &builder, llvm::Function &function,
                         const Kernel &kernel);

// Provides what the built-in library asks by name of the memory that belongs to this hart, to
// tell the address spaces of generic pointers apart. `function` as above.
void lower_address_space_queries(llvm::Function &function);

} // namespace rivulet::compiler

#endif
