// SPDX-License-Identifier: Apache-2.0
//
// The host's ends of the rings in hal/protocol/mailbox.h. Single producer, single consumer: the
// caller ensures that only one thread at a time uses each end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "hal/core/memory.h"
#include "hal/protocol/mailbox.h"

namespace rivulet::hal {

/// The addresses of a ring's indices and of its first element.
struct RingLayout {
    uint64_t head = 0;
    uint64_t tail = 0;
    uint64_t elements = 0;
    uint32_t count = 0; // number of elements, a power of two
    uint32_t element_bytes = 0;
};

/// Calls copy(address, offset in the array, bytes) for the one or two contiguous pieces of elements
/// index … index + count - 1.
template <class Copy>
Result<> for_each_piece(const RingLayout &layout, uint32_t index, uint32_t count, Copy copy) {
    const uint32_t first = index & (layout.count - 1);
    const uint32_t before_end = count < layout.count - first ? count : layout.count - first;
    const size_t bytes = size_t{before_end} * layout.element_bytes;
    if (auto done =
            copy(layout.elements + uint64_t{first} * layout.element_bytes, size_t{0}, bytes);
        !done || before_end == count)
        return done;
    return copy(layout.elements, bytes, size_t{count - before_end} * layout.element_bytes);
}

class Producer {
public:
    Producer() = default;
    Producer(Memory &memory, const RingLayout &layout) : memory_(&memory), layout_(layout) {}

    /// Continues from the tail left by an earlier host.
    Result<> take_over();
    /// Number of free elements.
    Result<uint32_t> room();
    /// Writes at most as many elements as are free; on return they belong to the consumer.
    Result<uint32_t> push(std::span<const rvl_slot> slots);

private:
    Memory *memory_ = nullptr;
    RingLayout layout_;
    uint32_t tail_ = 0;
};

class Consumer {
public:
    Consumer() = default;
    Consumer(Memory &memory, const RingLayout &layout) : memory_(&memory), layout_(layout) {}

    /// Drops all available elements.
    Result<> skip();
    /// Continues from the head left by an earlier host, or from the tail if that is invalid.
    Result<> take_over();
    /// Number of available elements.
    Result<uint32_t> available();
    /// Takes at most as many elements as fit; returns how many.
    Result<uint32_t> pop(std::span<std::byte> to);
    /// True if the last `available` found the ring full: the producer may be waiting for room.
    [[nodiscard]] bool was_full() const { return was_full_; }

private:
    Memory *memory_ = nullptr;
    RingLayout layout_;
    uint32_t head_ = 0;
    bool was_full_ = false;
};

} // namespace rivulet::hal
