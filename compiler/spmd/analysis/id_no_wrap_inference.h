// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_ANALYSIS_ID_NO_WRAP_INFERENCE_H
#define RIVULET_COMPILER_SPMD_ANALYSIS_ID_NO_WRAP_INFERENCE_H

#include <optional>

#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// The dimension d, if the value is factor(d) * get_local_size(d); `factor` is the parameter of
// dimension 0.
std::optional<unsigned> times_local_size(const llvm::Value &value, unsigned factor);

// Whether the instruction computes a global id, or the id after one: it doesn't wrap in any lane.
bool is_next_or_global_id(const llvm::Instruction &instruction);

// Global ids are below 2^31, also those that a kernel computes itself, as an int: their sums and
// products don't wrap. Some passes forget that. Nor do differences that a condition keeps above
// zero.
void infer_id_no_wrap(llvm::Function &work_item);

} // namespace rivulet::compiler

#endif
