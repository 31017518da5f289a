/* SPDX-License-Identifier: Apache-2.0 */
#include "device-firmware/core/unit_driver.h"

static unit_state begin(unit_job *job) {
    (void)job;
    return UNIT_FAILED;
}

static bool stop(unit_job *job) {
    (void)job;
    return false;
}

static const unit_driver runaway_unit = {0x4b435453, begin, begin, stop};
RIVULET_UNIT(runaway_unit);
