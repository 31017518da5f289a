/* SPDX-License-Identifier: Apache-2.0
 *
 * Words shared by harts, host and kernels. They are members of plain structs that C++ reads too,
 * so the C11 memory orders are named here instead of in the types. */
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
/* What was copied from memory that others write to is not read there a second time. */
static inline void read_once(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
/* Separates announcing sleep from the last check for work, and on the other side publishing work
 * from the check for sleepers. */
static inline void fence_all(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

#endif
