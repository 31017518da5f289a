// SPDX-License-Identifier: Apache-2.0
//
// The calls that the work-group passes replace: work-item functions and work-group functions, by
// the names that clang mangles for OpenCL C (Itanium C++ ABI).
#ifndef RIVULET_COMPILER_WORK_ITEMS_WORK_GROUP_BUILTIN_TABLE_H
#define RIVULET_COMPILER_WORK_ITEMS_WORK_GROUP_BUILTIN_TABLE_H

#include <optional>

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/InstrTypes.h>

namespace rivulet::compiler {

enum class Builtin {
    // 6.15.1 work-item functions
    work_dim,
    global_size,
    global_id,
    local_size,
    enqueued_local_size,
    local_id,
    num_groups,
    group_id,
    global_offset,
    global_linear_id,
    local_linear_id,
    // 6.15.8 synchronization functions
    barrier,
    // 6.15.12 async copies and prefetch
    async_copy,
    async_strided_copy,
    wait_events,
    prefetch,
    // 6.15.16 work-group collective functions, cl_khr_work_group_uniform_arithmetic
    broadcast,
    reduce,
    scan_exclusive,
    scan_inclusive,
};

// The operation of a reduction or scan.
enum class Operation {
    add,
    multiply,
    min,
    max,
    bit_and,
    bit_or,
    bit_xor,
    logical_and,
    logical_or,
    logical_xor,
};

// "_Z13get_global_idj" → "get_global_id"; empty when the name isn't mangled so.
llvm::StringRef unmangled_name(llvm::StringRef mangled);

// The mangled parameter types, which follow the name.
llvm::StringRef mangled_parameters(llvm::StringRef mangled);

std::optional<Builtin> builtin_of(const llvm::CallBase &call);

// The call is a reduction or scan.
Operation operation_of(const llvm::CallBase &call);
bool is_logical(Operation operation);

bool is_work_item_query(Builtin builtin);
bool is_collective(Builtin builtin);

// Whether every work-item of the group has to arrive before one goes on.
bool is_boundary(Builtin builtin);

} // namespace rivulet::compiler

#endif
