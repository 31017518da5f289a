/* SPDX-License-Identifier: Apache-2.0
 *
 * Possible sub-group sizes of a device: 32-bit lanes in LMUL registers, LMUL · VLEN / 32 with
 * LMUL 1/2 … 8. */
#ifndef RIVULET_PROTOCOL_SUB_GROUPS_H
#define RIVULET_PROTOCOL_SUB_GROUPS_H

#include "hal/protocol/version.h"

#define RVL_MAX_SUB_GROUP_SIZE 128 /* a ballot is a uint4 */
#define RVL_SUB_GROUP_SIZES 5
/* Devices without a vector unit use the sub-group sizes for this VLEN. */
#define RVL_SUB_GROUP_VLEN 128

/* In ascending order; returns the number of sizes. */
static inline uint32_t rvl_sub_group_sizes(uint32_t vlen, uint32_t sizes[RVL_SUB_GROUP_SIZES]) {
    uint32_t count = 0;
    uint32_t smallest = (vlen ? vlen : RVL_SUB_GROUP_VLEN) / 64;
    for (uint32_t lmul = 1; lmul <= 16; lmul *= 2)
        if (smallest * lmul > 1 && smallest * lmul <= RVL_MAX_SUB_GROUP_SIZE)
            sizes[count++] = smallest * lmul;
    if (count == 0)
        sizes[count++] = RVL_MAX_SUB_GROUP_SIZE;
    return count;
}

/* The size for kernels that don't request one: LMUL 2, so that elements of twice the width still
 * fit. */
static inline uint32_t rvl_default_sub_group_size(uint32_t vlen) {
    uint32_t size = (vlen ? vlen : RVL_SUB_GROUP_VLEN) / 16;
    return size < RVL_MAX_SUB_GROUP_SIZE ? size : RVL_MAX_SUB_GROUP_SIZE;
}

#endif
