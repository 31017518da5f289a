// SPDX-License-Identifier: Apache-2.0
//
// Where debuggers find the variables of kernels that frontend/debug_variables.h has marked, and the
// ids of the work-item that runs. What isn't at a fixed place on the stack gets a slot there, a
// variable that holds its address and is set at the start of each region.
#ifndef RIVULET_COMPILER_WORKGROUP_DEBUGGER_VARIABLES_H
#define RIVULET_COMPILER_WORKGROUP_DEBUGGER_VARIABLES_H

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace rivulet::compiler {

// Notes that the variable is `offset` bytes into the local memory of the work-item function.
void note_local_variable(llvm::Function &work_item, llvm::GlobalVariable &variable,
                         uint64_t offset);

// Describes, at the end of the region's entry block, variables in local memory (noted at the
// work-item function) and __global_id, __local_id, __group_id, which are like get_global_id etc.
void describe_work_item(llvm::Function &region, const llvm::Function &work_item);

// A private variable of the work-item function is at `address` in a region, where `copy` stood for
// it if that uses it. Variables are told apart by their numbers.
void describe_saved_variable(llvm::IRBuilderBase &builder, llvm::AllocaInst &variable,
                             llvm::AllocaInst *copy, llvm::Value *address, unsigned number);

// All regions of the kernel set the same slots. A debugger knows one place of each variable.
void merge_slots(llvm::Function &kernel);

} // namespace rivulet::compiler

#endif
