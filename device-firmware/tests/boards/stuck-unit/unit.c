/* SPDX-License-Identifier: Apache-2.0
 *
 * A unit with a flaw, whose functions never end and tell *argument that they have begun:
 *
 *   0  can be stopped
 *   1  can't be stopped
 *   2  fails and can't be stopped */
#include "device-firmware/core/unit_driver.h"

enum { OBEDIENT, STUCK, FAILING };

static bool is_stuck;

static unit_state begin(unit_job *job) {
    volatile uint32_t *begun =
        unit_memory(job, job->argument[0], sizeof(uint32_t), RVL_FAULT_STORE);
    if (!begun)
        return UNIT_FAILED;
    is_stuck = job->function != OBEDIENT;
    *begun = 1;
    return UNIT_BUSY;
}

static unit_state step(unit_job *job) { return job->function == FAILING ? UNIT_FAILED : UNIT_BUSY; }

static bool stop(unit_job *job) {
    (void)job;
    return !is_stuck;
}

static const unit_driver stuck_unit = {0x4b435453, begin, step, stop}; /* "STCK" */
RIVULET_UNIT(stuck_unit);
