// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/analysis/global_ids.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/work_items/parameters.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

const llvm::Argument *as_parameter(const Value *value, unsigned first) {
    auto *argument = dyn_cast<llvm::Argument>(value);
    return argument && argument->getArgNo() >= first && argument->getArgNo() < first + 3 ? argument
                                                                                         : nullptr;
}

// Each dimension has fewer than 2^31 of them.
bool is_next_id(const Instruction &instruction) {
    const auto sum = affine_step(instruction, Meaning::ring);
    auto *one = sum && sum->is_sum() ? dyn_cast<ConstantInt>(sum->right) : nullptr;
    return one && one->isOne() && as_parameter(sum->left, parameter::id);
}

} // namespace

std::optional<ConstantRange> range_of_parameter(const Value &value) {
    auto *argument = dyn_cast<llvm::Argument>(&value);
    if (!argument || argument->getArgNo() >= parameter::saved)
        return std::nullopt;
    return ConstantRange(APInt::getZero(32), APInt::getSignedMinValue(32));
}

bool is_global_id(const Value &value) {
    const auto sum = affine_step(value, Meaning::ring);
    if (!sum || !sum->is_sum())
        return false;
    for (auto [id, start] : {std::pair(sum->left, sum->right), std::pair(sum->right, sum->left)})
        if (auto *argument = as_parameter(id, parameter::id)) {
            const unsigned d = argument->getArgNo() - parameter::id;
            if (auto *first = as_parameter(start, parameter::first_id))
                return first->getArgNo() == parameter::first_id + d;
            return times_local_size(*start, parameter::group_id) == d;
        }
    return false;
}

std::optional<unsigned> times_local_size(const Value &value, unsigned factor) {
    const auto product = affine_step(value, Meaning::ring);
    if (!product || !product->is_product)
        return std::nullopt;
    for (auto [one, other] :
         {std::pair(product->left, product->right), std::pair(product->right, product->left)}) {
        auto *number = as_parameter(one, factor);
        auto *size = as_parameter(other, parameter::local_size);
        if (!size)
            size = as_parameter(other, parameter::enqueued_local_size);
        if (number && size &&
            (size->getArgNo() - parameter::local_size) % 3 == number->getArgNo() - factor)
            return number->getArgNo() - factor;
    }
    return std::nullopt;
}

bool is_next_or_global_id(const Instruction &instruction) {
    return is_global_id(instruction) || is_next_id(instruction);
}

} // namespace rivulet::compiler
