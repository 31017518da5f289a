// SPDX-License-Identifier: Apache-2.0
//
// Calls for many work-items at once. A row that calls a function which stays a function
// (analysis/kept_calls.h) puts its lanes' arguments into memory, those of active lanes side by
// side, and calls the function's row:
//
//   void NAME.lanes.FORMS(i32 count, parameters…, results…)
//
// One letter for each parameter of the function says how it is passed. Results are pointers to
// memory for `count` values of each part of the result. The callee is a row like that of a kernel
// (work_item_loop.h): it has as many lanes as suit it, whatever its caller has, and no masks for
// lanes that aren't active.
//
//   caller's lanes   a0 a1 a2 a3 a4 …      mask 1 0 1 1 0 …
//   memory           a0 a2 a3              count 3
//   callee's lanes   a0 a2 a3
#ifndef RIVULET_COMPILER_WORK_ITEMS_CALLED_ROWS_H
#define RIVULET_COMPILER_WORK_ITEMS_CALLED_ROWS_H

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Attribute of a row's declaration: the function's name and the forms of its parameters.
constexpr llvm::StringLiteral called_row_mark = "rivulet.called-row";

namespace called_form {
constexpr char same = 'u';    // one value, the same for all lanes
constexpr char values = 'v';  // a pointer to the lanes' values
constexpr char offsets = 'o'; // a pointer, and a pointer to the lanes' offsets from it: 32 bits
} // namespace called_form

// How a type is stored for lanes.
inline llvm::Type *stored_type(llvm::Type *type) {
    return type->isIntegerTy(1) ? llvm::Type::getInt8Ty(type->getContext()) : type;
}

} // namespace rivulet::compiler

#endif
