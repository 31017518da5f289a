// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/analysis/global_ids.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "compiler/work_items/parameters.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// There are fewer than 2^31 of them in each dimension.
bool is_next_id(const Instruction &sum) {
    auto *id = dyn_cast<llvm::Argument>(sum.getOperand(0));
    auto *one = dyn_cast<ConstantInt>(sum.getOperand(1));
    return id && one && one->isOne() && id->getArgNo() >= parameter::id &&
           id->getArgNo() < parameter::id + 3;
}

} // namespace

bool is_global_id(const Instruction &sum) {
    const Function &work_item = *sum.getFunction();
    for (unsigned side : {0u, 1u}) {
        const Value *start = sum.getOperand(side);
        auto d = times_local_size(*start, parameter::group_id);
        for (unsigned i = 0; !d && i < 3; ++i)
            if (start == work_item.getArg(parameter::first_id + i))
                d = i;
        if (d && sum.getOperand(1 - side) == work_item.getArg(parameter::id + *d))
            return true;
    }
    return false;
}

std::optional<unsigned> times_local_size(const Value &value, unsigned factor) {
    auto *product = dyn_cast<BinaryOperator>(&value);
    if (!product || product->getOpcode() != Instruction::Mul)
        return std::nullopt;
    for (unsigned side : {0u, 1u}) {
        auto *first = dyn_cast<llvm::Argument>(product->getOperand(side));
        auto *size = dyn_cast<llvm::Argument>(product->getOperand(1 - side));
        for (unsigned d = 0; first && size && d < 3; ++d)
            if (first->getArgNo() == factor + d &&
                (size->getArgNo() == parameter::local_size + d ||
                 size->getArgNo() == parameter::enqueued_local_size + d))
                return d;
    }
    return std::nullopt;
}

bool is_next_or_global_id(const Instruction &instruction) {
    return instruction.getOpcode() == Instruction::Add &&
           (is_global_id(instruction) || is_next_id(instruction));
}

} // namespace rivulet::compiler
