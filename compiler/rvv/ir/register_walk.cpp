// SPDX-License-Identifier: Apache-2.0
#include "compiler/rvv/ir/register_walk.h"

namespace rivulet::compiler {

using namespace llvm;

bool RegisterFile::insert(Value *value) {
    if (!values_.insert(value))
        return false;
    used_ += sizes_->size(*value);
    masks_ += is_mask(*value);
    return true;
}

bool RegisterFile::remove(Value *value) {
    if (!values_.remove(value))
        return false;
    used_ -= sizes_->size(*value);
    masks_ -= is_mask(*value);
    return true;
}

unsigned RegisterFile::mask_size() const {
    unsigned size = 1;
    for (const Value *value : values_)
        size = std::max(size, sizes_->group(*value));
    return size;
}

bool RegisterFile::has_room(unsigned more) const {
    const unsigned used = used_ + more;
    return used <= vector_registers && (masks_ == 0 || used + mask_size() <= vector_registers);
}

void RegisterWalk::add_use(Value *value, size_t index) {
    auto &indices = uses_[value];
    if (indices.empty() || indices.back() != index)
        indices.push_back(index);
}

void RegisterWalk::walk(size_t end) {
    for (; now_ < end; ++now_) {
        const Instruction &instruction = instruction_at(now_);
        const ArrayRef<Value *> operands = operands_at(now_);
        for (Value *operand : operands)
            bring_in(operand, operands);
        unsigned beside = 0;
        for (Value *operand : operands) {
            auto &indices = uses_[operand];
            if (!indices.empty() && indices.back() == now_)
                indices.pop_back();
            if (!indices.empty() || !file_.remove(operand))
                continue;
            if (is_kept_beside(*operand, instruction))
                beside += sizes_.size(*operand);
        }
        passes(instruction);
        Value *result = result_at(now_);
        if (!result)
            continue;
        if (!has_final_order() && is_mask(*result))
            evict_for({}, beside);
        file_.insert(result);
        if (has_final_order() || !is_mask(*result))
            evict_for(result, beside);
        if (!has_later_use(result))
            file_.remove(result);
    }
}

void RegisterWalk::bring_in(Value *value, ArrayRef<Value *> needed) {
    if (file_.contains(value))
        return;
    get_back(value, needed);
    file_.insert(value);
    evict_for(needed, 0);
}

void RegisterWalk::evict_for(ArrayRef<Value *> needed, unsigned free) {
    while (!file_.has_room(free)) {
        Value *value = victim(needed);
        if (!value)
            return does_not_fit();
        file_.remove(value);
        evicted(value);
    }
}

size_t RegisterWalk::next_use(Value *value) const {
    auto found = uses_.find(value);
    return found == uses_.end() || found->second.empty() ? none_left : found->second.back();
}

} // namespace rivulet::compiler
