// SPDX-License-Identifier: Apache-2.0
//
// Code that numbers the work-items of a group as 16 * y + x, or that has an array in local memory
// with rows of 16 elements, one for each x, would use a number or an element twice if rows were
// longer. Most tiles for GPUs are such code, and hosts know the size that it is written for, even
// if no attribute requires it. Arrays often have rows that are a bit longer, for neighbours or
// against conflicts of banks, but rows of work-items are powers of two.
#include "compiler/spmd/analysis/written_row_length.h"

#include <algorithm>

#include <llvm/ADT/bit.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/work_items/parameters.h"

namespace rivulet::compiler {

using namespace llvm;

// Shorter rows are elements of a vector or taps of a filter rather than work-items.
constexpr int64_t shortest_row = 8; // work-items

unsigned written_row_length(Function &work_item) {
    AffineExpressions sums(work_item.getDataLayout());
    int64_t length = 0;
    for (Instruction &instruction : instructions(work_item)) {
        if (!is_scalar(instruction.getType()) ||
            !(isa<GetElementPtrInst>(instruction) || instruction.getOpcode() == Instruction::Add ||
              instruction.getOpcode() == Instruction::Or))
            continue;
        int64_t x = 0, y = 0;
        for (const auto &[term, factor] : sums.of(&instruction, Meaning::modulo).terms) {
            const bool is_product = term[term.size() - 2] != 0;
            const Value *leaf = term.back() && !is_product ? sums.leaf(term.back()).value : nullptr;
            if (leaf == work_item.getArg(parameter::id))
                x = factor;
            else if (leaf == work_item.getArg(parameter::id + 1))
                y = factor;
        }
        if (x > 0 && y >= shortest_row * x && y % x == 0)
            length = length ? std::min(length, y / x) : y / x;
    }
    return unsigned(std::min<int64_t>(bit_floor(uint64_t(length)), UINT16_MAX));
}

} // namespace rivulet::compiler
