/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_RANGE_H
#define RIVULET_FIRMWARE_RANGE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct memory_range {
    uint64_t from, to;
} memory_range;

static inline bool range_within(uint64_t address, uint64_t bytes, uint64_t base,
                                uint64_t base_bytes) {
    return address >= base && bytes <= base_bytes && address - base <= base_bytes - bytes;
}

/* An end may be 2^64. */
static inline bool range_overlaps(uint64_t base, uint64_t bytes, uint64_t other,
                                  uint64_t other_bytes) {
    return other_bytes && (base - other < other_bytes || other - base < bytes);
}

#endif
