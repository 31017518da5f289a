// SPDX-License-Identifier: Apache-2.0
#include "hal/core/ring.h"

#include <algorithm>

namespace rivulet::hal {
namespace {

// For an invalid index written by the firmware. Using it would return garbage as completions.
std::unexpected<Error> nonsense(uint32_t head, uint32_t tail) {
    return fail(RVL_IO,
                {"the firmware damaged a ring of the mailbox (head ", head, ", tail ", tail, ")"});
}

} // namespace

Result<> Producer::take_over() {
    const auto tail = memory_->load(layout_.tail);
    if (!tail)
        return std::unexpected(tail.error());
    tail_ = *tail;
    return {};
}

Result<uint32_t> Producer::room() {
    const auto head = memory_->load(layout_.head);
    if (!head)
        return head;
    const uint32_t used = tail_ - *head;
    if (used > layout_.count)
        return nonsense(*head, tail_);
    return layout_.count - used;
}

Result<uint32_t> Producer::push(std::span<const rvl_slot> slots) {
    const auto free = room();
    if (!free || *free == 0 || slots.empty())
        return free ? Result<uint32_t>(0) : free;
    const auto count = static_cast<uint32_t>(std::min<size_t>(*free, slots.size()));
    const auto *from = reinterpret_cast<const std::byte *>(slots.data());
    auto written =
        for_each_piece(layout_, tail_, count, [&](uint64_t address, size_t offset, size_t bytes) {
            return memory_->write(address, from + offset, bytes);
        });
    if (written)
        written = memory_->store(layout_.tail, tail_ + count);
    if (!written)
        return std::unexpected(written.error());
    tail_ += count;
    return count;
}

Result<> Consumer::skip() {
    const auto tail = memory_->load(layout_.tail);
    if (!tail)
        return std::unexpected(tail.error());
    head_ = *tail;
    return memory_->store(layout_.head, head_);
}

Result<> Consumer::take_over() {
    const auto head = memory_->load(layout_.head);
    if (!head)
        return std::unexpected(head.error());
    head_ = *head;
    return available() ? Result<>{} : skip();
}

Result<uint32_t> Consumer::available() {
    const auto tail = memory_->load(layout_.tail);
    if (!tail)
        return tail;
    const uint32_t there = *tail - head_;
    if (there > layout_.count)
        return nonsense(head_, *tail);
    was_full_ = there == layout_.count;
    return there;
}

Result<uint32_t> Consumer::pop(std::span<std::byte> to) {
    const auto there = available();
    if (!there || *there == 0)
        return there;
    const auto count =
        static_cast<uint32_t>(std::min<size_t>(*there, to.size() / layout_.element_bytes));
    auto done =
        for_each_piece(layout_, head_, count, [&](uint64_t address, size_t offset, size_t bytes) {
            return memory_->read(address, to.data() + offset, bytes);
        });
    if (done)
        done = memory_->store(layout_.head, head_ + count);
    if (!done)
        return std::unexpected(done.error());
    head_ += count;
    return count;
}

} // namespace rivulet::hal
