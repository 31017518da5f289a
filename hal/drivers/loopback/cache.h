// SPDX-License-Identifier: Apache-2.0
//
// Makes a non-coherent cache visible: its side works on a shadow copy of main memory, and only
// cleaning and invalidating move blocks of 64 bytes (or cache-block=) between the two. The host has
// one cache, all harts together have another. Whatever can go wrong on real hardware goes wrong
// here, every time: a write that is not cleaned never arrives; a read without invalidation sees old
// data; cleaning a block writes back all its bytes, over what the other side wrote next to them;
// invalidating a block drops what was written to it but not cleaned.
//
// As on hardware, a block moves atomically: if two threads of a side move the same block, the later
// transfer includes everything the earlier one did, and never replaces a newer value with an older
// one.
//
// Real caches sometimes get it right by luck (a block that is not dirty, or evicted in time); this
// one never does. It can't show a block that is written back early, over what the other side has
// written since (a missing clean before the other side writes); one that is fetched early (an
// invalidation that comes too soon); the order in which blocks arrive; harts that are not coherent
// with each other; or instruction fetch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hal/protocol/version.h"

namespace rivulet::hal::loopback {

/// Held for each block that a side's threads move.
struct CacheLock {
    bool taken = false;
};

class Cache {
public:
    Cache(std::byte *shadow, std::byte *memory, CacheLock &lock, uint32_t block = RVL_CACHE_BLOCK)
        : shadow_(shadow), memory_(memory), lock_(lock), block_(block) {}

    void clean(uint64_t offset, size_t bytes);
    void invalidate(uint64_t offset, size_t bytes);

private:
    std::byte *shadow_;
    std::byte *memory_;
    CacheLock &lock_;
    uint64_t block_;
};

/// Copies from and to memory that firmware threads access concurrently: in machine words, in order,
/// each atomically if both ends are aligned.
void copy_from_device(std::byte *to, const std::byte *from, size_t bytes);
void copy_to_device(std::byte *to, const std::byte *from, size_t bytes);

} // namespace rivulet::hal::loopback
