// SPDX-License-Identifier: Apache-2.0
//
// Outlines an instruction on values of types that vectors can't hold into a function on values that
// they can hold. Rows call the function lane by lane.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_OUTLINED_SCALAR_OPS_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_OUTLINED_SCALAR_OPS_H

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

namespace rivulet::compiler {

// Whether an operand, such as a constant, becomes part of the outlined function and no parameter.
bool is_part_of_lane_function(const llvm::Value *operand);

// Creates such a function and, at the builder, a call of it with these operands. In the function,
// `set_operand` builds each operand of the instruction that isn't part of the function, in order,
// and removes the parameters that it uses from the list; `finish` builds the result.
using SetOperand = llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &, llvm::Value *operand,
                                                    llvm::ArrayRef<llvm::Value *> &parameters)>;
using Finish = llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &, llvm::Instruction &whole)>;
llvm::CallInst *call_lane_function(llvm::IRBuilderBase &builder, llvm::Instruction &instruction,
                                   llvm::Type *result, llvm::ArrayRef<llvm::Value *> operands,
                                   SetOperand set_operand, Finish finish);

// Whether the function is an outlined one. Passes that outline must leave these alone: their bodies
// hold just the instructions that were outlined, and a pass manager visits new functions as well.
bool is_lane_function(const llvm::Function &function);

// Calls with OpenCL's vectors among their operands (printf) take the components.
void split_operands_of_calls(llvm::Function &work_item);

// Inlines the outlined functions into a row that has been made, or into a part of one.
void inline_lane_functions(llvm::Function &row);

} // namespace rivulet::compiler

#endif
