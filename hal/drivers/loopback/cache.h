// SPDX-License-Identifier: Apache-2.0
//
// A host cache that is not coherent with the device, made visible: the host works on a shadow of
// device memory, and only cleaning and invalidating move blocks of 64 bytes between the two. What
// goes wrong on real hardware goes wrong here, each time:
//   - a write that is not cleaned never arrives;
//   - a read without invalidating sees old data;
//   - cleaning a block takes all 64 bytes along, over what the device wrote beside;
//   - invalidating a block drops what the host wrote there and did not clean.
// Real caches sometimes get it right by luck (a block not dirty, or evicted in time); this one
// never does.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rivulet::hal::loopback {

class Cache {
public:
    Cache(std::byte *shadow, std::byte *memory) : shadow_(shadow), memory_(memory) {}

    void clean(uint64_t offset, size_t bytes);
    void invalidate(uint64_t offset, size_t bytes);

private:
    std::byte *shadow_;
    std::byte *memory_;
};

/// Copies from and to memory that firmware threads use at the same time: by machine words, in
/// order, each in one piece where both ends are aligned.
void copy_from_device(std::byte *to, const std::byte *from, size_t bytes);
void copy_to_device(std::byte *to, const std::byte *from, size_t bytes);

} // namespace rivulet::hal::loopback
