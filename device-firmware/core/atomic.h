/* SPDX-License-Identifier: Apache-2.0
 *
 * Words that harts, host and kernels share. They lie in plain structs that C++ reads too, so the
 * C11 orders are named here once instead of in the types. */
#ifndef RIVULET_FIRMWARE_ATOMIC_H
#define RIVULET_FIRMWARE_ATOMIC_H

#include <stdint.h>

static inline uint32_t load_relaxed(const uint32_t *word) {
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}
static inline uint32_t load_acquire(const uint32_t *word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
static inline void store_relaxed(uint32_t *word, uint32_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}
static inline void store_release(uint32_t *word, uint32_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
/* Between "I go to sleep" and "is there really nothing to do?", and its mirror image. */
static inline void fence_all(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

#endif
