// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/loopback/cache.h"

#include <cstring>

#include "hal/protocol/version.h"

namespace rivulet::hal::loopback {
namespace {

struct Blocks {
    uint64_t first;
    size_t bytes;
};

Blocks whole_blocks(uint64_t offset, size_t bytes) {
    constexpr uint64_t mask = RVL_CACHE_BLOCK - 1;
    const uint64_t first = offset & ~mask;
    return {first, ((offset + bytes + mask) & ~mask) - first};
}

template <class T> bool aligned(const void *pointer) {
    return reinterpret_cast<uintptr_t>(pointer) % sizeof(T) == 0;
}

} // namespace

void copy_from_device(std::byte *to, const std::byte *from, size_t bytes) {
    const auto word = [&]<class T>(T) {
        for (; bytes >= sizeof(T) && aligned<T>(from); bytes -= sizeof(T)) {
            const T value = __atomic_load_n(reinterpret_cast<const T *>(from), __ATOMIC_ACQUIRE);
            std::memcpy(to, &value, sizeof value);
            to += sizeof(T);
            from += sizeof(T);
        }
    };
    while (bytes != 0 && !aligned<uint32_t>(from)) {
        *to++ = *from++;
        --bytes;
    }
    if (aligned<uint32_t>(from) && !aligned<uint64_t>(from) && bytes >= sizeof(uint32_t)) {
        const uint32_t value =
            __atomic_load_n(reinterpret_cast<const uint32_t *>(from), __ATOMIC_ACQUIRE);
        std::memcpy(to, &value, sizeof value);
        to += sizeof value;
        from += sizeof value;
        bytes -= sizeof value;
    }
    word(uint64_t{});
    word(uint32_t{});
    std::memcpy(to, from, bytes);
}

void copy_to_device(std::byte *to, const std::byte *from, size_t bytes) {
    const auto word = [&]<class T>(T) {
        for (; bytes >= sizeof(T) && aligned<T>(to); bytes -= sizeof(T)) {
            T value;
            std::memcpy(&value, from, sizeof value);
            __atomic_store_n(reinterpret_cast<T *>(to), value, __ATOMIC_RELEASE);
            to += sizeof(T);
            from += sizeof(T);
        }
    };
    while (bytes != 0 && !aligned<uint32_t>(to)) {
        *to++ = *from++;
        --bytes;
    }
    if (!aligned<uint64_t>(to) && bytes >= sizeof(uint32_t)) {
        uint32_t value;
        std::memcpy(&value, from, sizeof value);
        __atomic_store_n(reinterpret_cast<uint32_t *>(to), value, __ATOMIC_RELEASE);
        to += sizeof value;
        from += sizeof value;
        bytes -= sizeof value;
    }
    word(uint64_t{});
    word(uint32_t{});
    std::memcpy(to, from, bytes);
}

void Cache::clean(uint64_t offset, size_t bytes) {
    const Blocks blocks = whole_blocks(offset, bytes);
    copy_to_device(memory_ + blocks.first, shadow_ + blocks.first, blocks.bytes);
}

void Cache::invalidate(uint64_t offset, size_t bytes) {
    const Blocks blocks = whole_blocks(offset, bytes);
    copy_from_device(shadow_ + blocks.first, memory_ + blocks.first, blocks.bytes);
}

} // namespace rivulet::hal::loopback
