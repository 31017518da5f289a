/* SPDX-License-Identifier: Apache-2.0
 *
 * Caches of harts that are not coherent with the host. Among themselves harts always are. What
 * either side writes lies on cache blocks of its own (RVL_CACHE_BLOCK), so cleaning a block never
 * takes an old value of the other side's along, and invalidating one drops nothing of ours. */
#ifndef RIVULET_FIRMWARE_CACHE_H
#define RIVULET_FIRMWARE_CACHE_H

#include "device-firmware/core/arch.h"

/* After the firmware wrote what the host shall read. */
static inline void clean_for_host(const firmware *f, const void *at, size_t bytes) {
    if (f->noncoherent)
        arch_cache_clean(f, (uintptr_t)at, bytes);
}
/* Before the firmware reads what the host wrote. */
static inline void invalidate_for_device(const firmware *f, const void *at, size_t bytes) {
    if (f->noncoherent)
        arch_cache_invalidate(f, (uintptr_t)at, bytes);
}

#define CLEAN_FOR_HOST(f, object) clean_for_host((f), &(object), sizeof(object))
#define INVALIDATE_FOR_DEVICE(f, object) invalidate_for_device((f), &(object), sizeof(object))

#endif
