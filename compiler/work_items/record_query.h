// SPDX-License-Identifier: Apache-2.0
//
// Values of the launch record (hal/protocol/launch.h, sanitizer.h) in work-item functions: calls of
// `iN rivulet.record.iN(i32 offset)`, which become loads when the kernel has its record.
#ifndef RIVULET_COMPILER_WORK_ITEMS_RECORD_QUERY_H
#define RIVULET_COMPILER_WORK_ITEMS_RECORD_QUERY_H

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

namespace rivulet::compiler {

constexpr llvm::StringLiteral record_query = "rivulet.record.i";

// The same where it is seldom wanted: the load stays there.
constexpr llvm::StringLiteral volatile_record_query = "rivulet.volatile_record.i";

// A call that ends the launch, of the first work-item that gets there.
constexpr llvm::StringLiteral bad_access = "rivulet.bad_access.i";

inline bool ends_launch(const llvm::CallBase &call) {
    const llvm::Function *callee = call.getCalledFunction();
    return callee && callee->getName().starts_with(bad_access);
}

} // namespace rivulet::compiler

#endif
