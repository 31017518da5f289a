// SPDX-License-Identifier: Apache-2.0
//
// Sub-groups (6.15.19): a sub-group is the lanes of one strip. These are the calls that the
// vectoriser knows; ../library/source/sub_group.cl makes the other functions of them.
#ifndef RIVULET_COMPILER_SPMD_ANALYSIS_SUB_GROUP_CALLS_H
#define RIVULET_COMPILER_SPMD_ANALYSIS_SUB_GROUP_CALLS_H

#include <optional>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>

namespace rivulet::compiler {

struct SubGroupCall {
    enum Function {
        local_id, // id_call()
        id,
        barrier,
        any,
        all,
        elect,
        ballot, // 64 lanes of it: (predicate, which 64)
        broadcast,
        broadcast_first,
        shuffle,
        reduce,
        scan_inclusive,
        scan_exclusive,
        clustered_reduce,
    };
    enum Operation { add, mul, min, max, bit_and, bit_or, bit_xor };

    Function function;
    Operation operation = add; // from reduce on
    bool is_signed = false;    // how integers compare
    bool is_logical = false;   // operands are truth values
    bool is_double = false;    // operands are, according to the call's name
};

std::optional<SubGroupCall> sub_group_call(const llvm::Value &value);

// Whether the result is the same for all active lanes. If not, no two lanes are known to agree.
bool same_in_all_lanes(const SubGroupCall &call);

// Marks a function that tells a work-item's position.
void mark_as_id_query(llvm::Function &function);

// A call for SubGroupCall::local_id or ::id of the work-item with that linear local id.
llvm::Value *id_call(llvm::IRBuilderBase &builder, SubGroupCall::Function function,
                     llvm::Value *linear_id);

// The value with which op(x, identity) is x.
llvm::Constant *identity(const SubGroupCall &call, llvm::Type *type);
llvm::Value *combine(llvm::IRBuilderBase &builder, const SubGroupCall &call, llvm::Value *a,
                     llvm::Value *b);

} // namespace rivulet::compiler

#endif
