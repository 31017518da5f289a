// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/analysis/row_shape.h"

#include <array>

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Function.h>

namespace rivulet::compiler {
namespace {

constexpr llvm::StringLiteral mark = "rivulet.row-shape";

// The mark's numbers, in order. Elements aren't part of it: they are the target's.
constexpr std::array numbers = {&RowShape::vlen,      &RowShape::length,   &RowShape::likely,
                                &RowShape::sub_group, &RowShape::min_vlen, &RowShape::rows};
constexpr std::array flags = {&RowShape::long_rows, &RowShape::parted, &RowShape::rare,
                              &RowShape::called};

} // namespace

void set_row_shape(llvm::Function &function, const RowShape &shape) {
    std::string text;
    for (auto number : numbers)
        text += llvm::utostr(shape.*number) + ",";
    for (auto flag : flags)
        text += shape.*flag ? '1' : '0';
    function.addFnAttr(mark, text);
}

RowShape row_shape(const llvm::Function &function) {
    RowShape shape;
    llvm::StringRef text = function.getFnAttribute(mark).getValueAsString();
    for (auto number : numbers) {
        text.consumeInteger(10, shape.*number);
        text.consume_front(",");
    }
    for (auto flag : flags)
        shape.*flag = !text.consume_front("0") && text.consume_front("1");
    return shape;
}

} // namespace rivulet::compiler
