/* SPDX-License-Identifier: Apache-2.0
 *
 * Cache maintenance for harts that are not coherent with the host. Harts are always coherent
 * with each other. Data written by either side is in cache blocks of its own (RVL_CACHE_BLOCK),
 * so cleaning a block never writes back stale data of the other side, and invalidating one never
 * discards our own. */
#ifndef RIVULET_FIRMWARE_CACHE_H
#define RIVULET_FIRMWARE_CACHE_H

#include "device-firmware/core/arch.h"

/* Call after the firmware has written what the host will read. */
static inline void clean_for_host(const firmware *f, const void *at, size_t bytes) {
    if (f->noncoherent)
        arch_cache_clean(f, (uintptr_t)at, bytes);
}
/* Call before the firmware reads what the host wrote. */
static inline void invalidate_for_device(const firmware *f, const void *at, size_t bytes) {
    if (f->noncoherent)
        arch_cache_invalidate(f, (uintptr_t)at, bytes);
}

#define CLEAN_FOR_HOST(f, object) clean_for_host((f), &(object), sizeof(object))
#define INVALIDATE_FOR_DEVICE(f, object) invalidate_for_device((f), &(object), sizeof(object))

#endif
