/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_HART_SET_H
#define RIVULET_FIRMWARE_HART_SET_H

#include "device-firmware/core/firmware.h"

static inline uint64_t bit(const hart *hart) { return 1ull << hart->index; }

#define FOR_EACH_HART(f, hart_, mask)                                                              \
    for (hart *hart_ = (f)->hart; hart_ < (f)->hart + (f)->harts; ++hart_)                         \
        if ((mask) & bit(hart_))

#endif
