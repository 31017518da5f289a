// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/builtins.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Function.h>

namespace rivulet::compiler {

namespace {

struct Row {
    const char *name;
    Builtin builtin;
};

constexpr Row rows[] = {
    {"get_work_dim", Builtin::work_dim},
    {"get_global_size", Builtin::global_size},
    {"get_global_id", Builtin::global_id},
    {"get_local_size", Builtin::local_size},
    {"get_enqueued_local_size", Builtin::enqueued_local_size},
    {"get_local_id", Builtin::local_id},
    {"get_num_groups", Builtin::num_groups},
    {"get_group_id", Builtin::group_id},
    {"get_global_offset", Builtin::global_offset},
    {"get_global_linear_id", Builtin::global_linear_id},
    {"get_local_linear_id", Builtin::local_linear_id},
    {"barrier", Builtin::barrier},
    {"work_group_barrier", Builtin::barrier},
    {"async_work_group_copy", Builtin::async_copy},
    {"async_work_group_strided_copy", Builtin::async_strided_copy},
    {"wait_group_events", Builtin::wait_events},
    {"prefetch", Builtin::prefetch},
    {"work_group_all", Builtin::all},
    {"work_group_any", Builtin::any},
    {"work_group_broadcast", Builtin::broadcast},
    {"work_group_reduce_add", Builtin::reduce_add},
    {"work_group_reduce_min", Builtin::reduce_min},
    {"work_group_reduce_max", Builtin::reduce_max},
    {"work_group_scan_exclusive_add", Builtin::scan_exclusive_add},
    {"work_group_scan_exclusive_min", Builtin::scan_exclusive_min},
    {"work_group_scan_exclusive_max", Builtin::scan_exclusive_max},
    {"work_group_scan_inclusive_add", Builtin::scan_inclusive_add},
    {"work_group_scan_inclusive_min", Builtin::scan_inclusive_min},
    {"work_group_scan_inclusive_max", Builtin::scan_inclusive_max},
};

// Splits "_Z13get_global_idj" into its name and its parameters.
std::pair<llvm::StringRef, llvm::StringRef> split(llvm::StringRef mangled) {
    unsigned length = 0;
    if (!mangled.consume_front("_Z") || mangled.consumeInteger(10, length) ||
        length > mangled.size())
        return {};
    return {mangled.take_front(length), mangled.drop_front(length)};
}

} // namespace

llvm::StringRef unmangled_name(llvm::StringRef mangled) { return split(mangled).first; }

llvm::StringRef mangled_parameters(llvm::StringRef mangled) { return split(mangled).second; }

std::optional<Builtin> builtin_of(const llvm::CallBase &call) {
    static const auto table = [] {
        llvm::StringMap<Builtin> map;
        for (const Row &row : rows)
            map[row.name] = row.builtin;
        return map;
    }();
    const llvm::Function *callee = call.getCalledFunction();
    if (!callee || !callee->isDeclaration())
        return std::nullopt;
    auto found = table.find(unmangled_name(callee->getName()));
    return found == table.end() ? std::nullopt : std::optional(found->second);
}

bool is_work_item_query(Builtin builtin) { return builtin <= Builtin::local_linear_id; }

bool is_collective(Builtin builtin) { return builtin >= Builtin::all; }

bool is_boundary(Builtin builtin) {
    return builtin == Builtin::barrier || builtin == Builtin::wait_events || is_collective(builtin);
}

} // namespace rivulet::compiler
