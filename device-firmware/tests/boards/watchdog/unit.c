/* SPDX-License-Identifier: Apache-2.0
 *
 * A unit that stops when the firmware starts, and never again. */
#include "device-firmware/core/unit_driver.h"

static unit_state begin(unit_job *job) {
    (void)job;
    return UNIT_FAILED;
}

static bool stop(unit_job *job) {
    (void)job;
    static uint32_t stops;
    return ++stops == 1;
}

static const unit_driver unit = {0x4b435453, begin, begin, stop}; /* "STCK" */
RIVULET_UNIT(unit);
