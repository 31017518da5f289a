// SPDX-License-Identifier: Apache-2.0
//
// A cache that is not coherent with the other side's, made visible: its side works on a shadow of
// main memory, and only cleaning and invalidating move blocks of 64 bytes, or as many
// as cache-block= says, between the two. The host
// has one, the harts have one together. What goes wrong on real hardware goes wrong here, each
// time:
//   - a write that is not cleaned never arrives;
//   - a read without invalidating sees old data;
//   - cleaning a block takes all its bytes along, over what the other side wrote beside;
//   - invalidating a block drops what was written there and not cleaned.
// As on hardware, a block moves in one step: of two threads of a side that move the same block, the
// later one moves all that the earlier one did, and never an older value over a newer one.
// Real caches sometimes get it right by luck (a block not dirty, or evicted in time); this one
// never does. What it can't show: a block that goes back to memory before its time, over what the
// other side has written since (a forgotten clean before the other side writes); one that is
// fetched before its time (an invalidation that comes too early); the order in which blocks arrive;
// caches of harts that are not coherent among themselves; instruction fetch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hal/protocol/version.h"

namespace rivulet::hal::loopback {

/// Taken for each block that a side's threads move.
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

/// Copies from and to memory that firmware threads use at the same time: by machine words, in
/// order, each in one piece where both ends are aligned.
void copy_from_device(std::byte *to, const std::byte *from, size_t bytes);
void copy_to_device(std::byte *to, const std::byte *from, size_t bytes);

} // namespace rivulet::hal::loopback
