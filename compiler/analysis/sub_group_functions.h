// SPDX-License-Identifier: Apache-2.0
//
// Functions with __attribute__((rivulet_sub_group)): one call does the work of a whole sub-group
// (lowering/sub_group_functions.cpp). And what kernels say of the size of sub-groups.
#ifndef RIVULET_COMPILER_ANALYSIS_SUB_GROUP_FUNCTIONS_H
#define RIVULET_COMPILER_ANALYSIS_SUB_GROUP_FUNCTIONS_H

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

namespace rivulet::compiler {

inline constexpr llvm::StringLiteral sub_group_function_mark = "rivulet-sub-group"; // of functions

// Of kernels, cl_qcom_reqd_sub_group_size: whether sub-groups have all of the largest size, "full",
// or "half" of it.
inline constexpr llvm::StringLiteral sub_group_share_mark = "rivulet-sub-group-share";

inline bool is_sub_group_function(const llvm::Function &function) {
    return function.hasFnAttribute(sub_group_function_mark);
}

inline bool calls_sub_group_function(const llvm::Value &value) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&value);
    return call && call->getCalledFunction() && is_sub_group_function(*call->getCalledFunction());
}

} // namespace rivulet::compiler

#endif
