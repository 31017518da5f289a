// SPDX-License-Identifier: Apache-2.0
#include "compiler/work_items/work_group_builtin_table.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Function.h>

#include "compiler/work_items/async_copy_element.h"

namespace rivulet::compiler {

namespace {

struct Row {
    llvm::StringRef name;
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
    {"async_work_group_copy_fence", Builtin::barrier},
    {"work_group_broadcast", Builtin::broadcast},
};

// Together the name of a reduction or scan.
constexpr Row forms[] = {
    {"work_group_reduce_", Builtin::reduce},
    {"work_group_scan_exclusive_", Builtin::scan_exclusive},
    {"work_group_scan_inclusive_", Builtin::scan_inclusive},
};
constexpr std::pair<llvm::StringRef, Operation> operations[] = {
    {"add", Operation::add},
    {"mul", Operation::multiply},
    {"min", Operation::min},
    {"max", Operation::max},
    {"and", Operation::bit_and},
    {"or", Operation::bit_or},
    {"xor", Operation::bit_xor},
    {"logical_and", Operation::logical_and},
    {"logical_or", Operation::logical_or},
    {"logical_xor", Operation::logical_xor},
};

struct Meaning {
    Builtin builtin;
    Operation operation = Operation::add;
};

const Meaning *find(llvm::StringRef mangled) {
    static const auto table = [] {
        llvm::StringMap<Meaning> map;
        for (const Row &row : rows)
            map[row.name] = {row.builtin};
        for (const Row &form : forms)
            for (auto [name, operation] : operations)
                map[(form.name + name).str()] = {form.builtin, operation};
        map["work_group_all"] = {Builtin::reduce, Operation::logical_and};
        map["work_group_any"] = {Builtin::reduce, Operation::logical_or};
        return map;
    }();
    auto found = table.find(unmangled_name(mangled));
    return found == table.end() ? nullptr : &found->second;
}

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
    const llvm::Function *callee = call.getCalledFunction();
    if (!callee || !callee->isDeclaration())
        return std::nullopt;
    const Meaning *meaning = find(callee->getName());
    if (!meaning)
        return std::nullopt;
    // A function of that name for other elements is undefined.
    const bool copies =
        meaning->builtin == Builtin::async_copy || meaning->builtin == Builtin::async_strided_copy;
    if (copies && !async_copy_element(callee->getName()))
        return std::nullopt;
    return meaning->builtin;
}

Operation operation_of(const llvm::CallBase &call) {
    return find(call.getCalledFunction()->getName())->operation;
}

bool is_logical(Operation operation) { return operation >= Operation::logical_and; }

bool is_work_item_query(Builtin builtin) { return builtin <= Builtin::local_linear_id; }

bool is_collective(Builtin builtin) { return builtin >= Builtin::broadcast; }

bool is_boundary(Builtin builtin) {
    return builtin == Builtin::barrier || builtin == Builtin::wait_events || is_collective(builtin);
}

} // namespace rivulet::compiler
