/* SPDX-License-Identifier: Apache-2.0
 *
 * Statistics of harts. */
#ifndef RIVULET_FIRMWARE_HART_COUNT_H
#define RIVULET_FIRMWARE_HART_COUNT_H

#include "device-firmware/core/atomic.h"
#include "device-firmware/core/firmware.h"

/* The launch's instructions with those of this hart. */
static inline uint64_t hart_count_launch(const hart *hart, const launch *launch, bool well) {
    rvl_hart_statistics *statistics = hart->statistics;
    const uint64_t instructions = hart->instructions;
    ++statistics->launches;
    statistics->instructions += instructions;
    if (well)
        statistics->groups += launch->total_groups;
    return launch->instructions + instructions;
}

static inline void hart_count_leaving(const hart *hart, launch *launch, bool well) {
    launch->instructions = hart_count_launch(hart, launch, well);
}

/* The host may read a hart's launch at any time. */
static inline void hart_count_entering(const hart *hart, const launch *launch, uint64_t now) {
    hart->statistics->since = now;
    store_relaxed(&hart->statistics->launch, launch->command.launch);
}

#endif
