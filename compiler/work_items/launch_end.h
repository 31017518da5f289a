// SPDX-License-Identifier: Apache-2.0
//
// Kernels built with -rv-sanitize=address, and the calls by which a work-item ends its launch
// there.
#ifndef RIVULET_COMPILER_WORK_ITEMS_LAUNCH_END_H
#define RIVULET_COMPILER_WORK_ITEMS_LAUNCH_END_H

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

namespace rivulet::compiler {

constexpr llvm::StringLiteral sanitizer_mark = "rivulet.sanitize-address"; // of functions

// Kernels have the mark, and so have the functions that are made of them.
inline bool is_sanitized(const llvm::Function &function) {
    return function.hasFnAttribute(sanitizer_mark);
}

// The first work-item that makes this call reports its access.
constexpr llvm::StringLiteral bad_access = "rivulet.bad_access.i";

// i32 arrival(number), for a boundary or returned_early, returns where another work-item of the
// group has arrived in this region, or nowhere. Once a pointer to the place where the region ended
// exists, the call has it as well: arrival_at(number, pointer).
constexpr llvm::StringLiteral arrival = "rivulet.arrival"; // of a boundary's call, too: its number
constexpr llvm::StringLiteral arrival_at = "rivulet.arrival_at";
constexpr llvm::StringLiteral arrival_site = "rivulet.arrival-site"; // of variables
constexpr uint32_t nowhere = ~uint32_t{0};
constexpr uint32_t returned_early = nowhere - 1;

inline bool is_arrival(const llvm::CallBase &call) {
    const llvm::Function *callee = call.getCalledFunction();
    return callee && callee->getName().starts_with(arrival);
}

inline bool ends_launch(const llvm::CallBase &call) {
    const llvm::Function *callee = call.getCalledFunction();
    return callee && callee->getName().starts_with(bad_access);
}

} // namespace rivulet::compiler

#endif
