// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_ANALYSIS_GLOBAL_IDS_H
#define RIVULET_COMPILER_SPMD_ANALYSIS_GLOBAL_IDS_H

#include <optional>

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// The range of a work-item function's parameter: ids and sizes are below 2^31.
std::optional<llvm::ConstantRange> range_of_parameter(const llvm::Value &value);

// The dimension d, if the value is factor(d) * get_local_size(d); `factor` is the parameter of
// dimension 0.
std::optional<unsigned> times_local_size(const llvm::Value &value, unsigned factor);

// Whether the value is a global id: first id + id, or group id * local size + id.
bool is_global_id(const llvm::Value &value);

// Whether the instruction computes a global id, or the id after one: it doesn't wrap in any lane.
bool is_next_or_global_id(const llvm::Instruction &instruction);

} // namespace rivulet::compiler

#endif
