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

// The mark is a kernel's, and goes to the functions that are made of it.
inline bool is_sanitized(const llvm::Function &function) {
    return function.hasFnAttribute(sanitizer_mark);
}

// The first work-item that gets there reports what it did.
constexpr llvm::StringLiteral bad_access = "rivulet.bad_access.i";

// i32 arrival(number), of a boundary or returned_early: where another work-item of the group has
// arrived in this region, or nowhere. A pointer to where the region ended follows once there is
// one; then it is arrival_at(number, pointer).
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
