// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/loopback/cache.h"

#include <sched.h>

namespace rivulet::hal::loopback {
namespace {

struct Blocks {
    uint64_t first;
    size_t bytes;
};

Blocks whole_blocks(uint64_t offset, size_t bytes, uint64_t block) {
    const uint64_t mask = block - 1;
    const uint64_t first = offset & ~mask;
    return {first, ((offset + bytes + mask) & ~mask) - first};
}

/* A cache block transfer is not an access by the program: as on hardware, it races with the
 * device's accesses to other words of the block. It is hidden from ThreadSanitizer, as is the
 * lock, which would order accesses that hardware does not order. */
#ifdef __clang__
#define HARDWARE __attribute__((disable_sanitizer_instrumentation))
#define COPY_INLINE __builtin_memcpy_inline
#else // no build with gcc has sanitizers
#define HARDWARE
#define COPY_INLINE __builtin_memcpy
#endif

template <class T> HARDWARE bool aligned(const std::byte *pointer) {
    return reinterpret_cast<uintptr_t>(pointer) % sizeof(T) == 0;
}

template <class T> HARDWARE void load(std::byte *to, const std::byte *from) {
    const T value = __atomic_load_n(reinterpret_cast<const T *>(from), __ATOMIC_ACQUIRE);
    COPY_INLINE(to, &value, sizeof value);
}

template <class T> HARDWARE void store(std::byte *to, const std::byte *from) {
    T value;
    COPY_INLINE(&value, from, sizeof value);
    __atomic_store_n(reinterpret_cast<T *>(to), value, __ATOMIC_RELEASE);
}

/// The largest access that the device side is aligned for.
HARDWARE size_t piece(const std::byte *device, size_t bytes) {
    if (bytes >= 8 && aligned<uint64_t>(device))
        return 8;
    return bytes >= 4 && aligned<uint32_t>(device) ? 4 : 1;
}

HARDWARE void take(CacheLock &lock) {
    while (__atomic_test_and_set(&lock.taken, __ATOMIC_ACQUIRE))
        sched_yield();
}

HARDWARE void release(CacheLock &lock) { __atomic_clear(&lock.taken, __ATOMIC_RELEASE); }

} // namespace

HARDWARE void copy_from_device(std::byte *to, const std::byte *from, size_t bytes) {
    while (bytes != 0) {
        const size_t size = piece(from, bytes);
        if (size == 8)
            load<uint64_t>(to, from);
        else if (size == 4)
            load<uint32_t>(to, from);
        else
            load<uint8_t>(to, from);
        to += size;
        from += size;
        bytes -= size;
    }
}

HARDWARE void copy_to_device(std::byte *to, const std::byte *from, size_t bytes) {
    while (bytes != 0) {
        const size_t size = piece(to, bytes);
        if (size == 8)
            store<uint64_t>(to, from);
        else if (size == 4)
            store<uint32_t>(to, from);
        else
            store<uint8_t>(to, from);
        to += size;
        from += size;
        bytes -= size;
    }
}

HARDWARE void Cache::clean(uint64_t offset, size_t bytes) {
    const Blocks blocks = whole_blocks(offset, bytes, block_);
    for (uint64_t at = blocks.first; at < blocks.first + blocks.bytes; at += block_) {
        take(lock_);
        copy_to_device(memory_ + at, shadow_ + at, block_);
        release(lock_);
    }
}

HARDWARE void Cache::invalidate(uint64_t offset, size_t bytes) {
    const Blocks blocks = whole_blocks(offset, bytes, block_);
    for (uint64_t at = blocks.first; at < blocks.first + blocks.bytes; at += block_) {
        take(lock_);
        copy_from_device(shadow_ + at, memory_ + at, block_);
        release(lock_);
    }
}

} // namespace rivulet::hal::loopback
