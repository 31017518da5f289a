/* SPDX-License-Identifier: Apache-2.0
 *
 * Fixed-function units: devices on the harts' bus that carry out operations of their own, which
 * OpenCL calls built-in kernels. A launch of RVL_LAUNCH_UNIT is scheduled like any other one; when
 * its turn comes, a hart starts the unit through its driver and polls it until it has finished, in
 * M mode:
 *
 *   RVL_LAUNCH_UNIT ──► stream ──► active launch ──► its hart: begin, step, step, … ──► ended
 *
 * Each unit has a hart of its own as long as there are enough of them, and only that hart drives
 * it, so a unit never gets two launches at a time. While it works, its hart runs no kernels, but
 * serves commands, heartbeats, kills and time limits.
 *
 * To add a unit, write a driver (units/model.c is one to copy), put RIVULET_UNIT(driver) behind it,
 * and place it in the folder of the board. The host learns of its kernels from the HAL driver
 * (rvl_driver.built_in_kernels). */
#ifndef RIVULET_FIRMWARE_UNIT_DRIVER_H
#define RIVULET_FIRMWARE_UNIT_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/protocol/fault.h"
#include "hal/protocol/launch.h"

struct launch;

typedef enum unit_state {
    UNIT_BUSY,
    UNIT_DONE,
    UNIT_FAILED, /* job.fault and job.value say why */
} unit_state;

/* A launch as its unit's driver sees it. */
typedef struct unit_job {
    const struct launch *launch;
    uint32_t function; /* rvl_built_in_kernel.function */
    uint64_t global_size[3];
    uint64_t global_offset[3];
    uint64_t argument[RVL_MAX_UNIT_ARGUMENTS]; /* values in their lowest bytes, device addresses */
    uint64_t own[8];                           /* the driver's, 0 at first */
    rvl_fault_kind fault;                      /* RVL_FAULT_UNIT unless the driver changes it */
    uint64_t value;                            /* an address, or the unit's error code */
} unit_job;

/* `begin` checks the arguments (unit_memory) and starts the unit; `step` looks whether it has
 * finished. `stop` tells the unit to stop, and returns whether it no longer accesses memory; it is
 * called until it doesn't: when the launch ends early or has failed, at boot, when there is no job
 * and the unit may be at work for earlier software, and, by another hart, when the firmware has
 * failed. A unit that doesn't stop within a second would write to memory that is the next owner's,
 * so the device then fails. All return within microseconds, and are called without the firmware's
 * lock. A unit whose memory accesses bypass the harts' caches needs their maintenance in `begin`
 * and at the end. */
typedef struct unit_driver {
    uint32_t id; /* rvl_built_in_kernel.unit */
    unit_state (*begin)(unit_job *);
    unit_state (*step)(unit_job *);
    bool (*stop)(unit_job *);
} unit_driver;

/* At the beginning of a line: the build looks for it there. */
#ifdef RIVULET_UNITS
#define RIVULET_UNIT(driver)                                                                       \
    const unit_driver *const unit_row_##driver __attribute__((section(".units"), used)) = &(driver)
#else
#define RIVULET_UNIT(driver)                                                                       \
    RVL_STATIC_ASSERT(0, "the build has not seen this line; it must begin with RIVULET_UNIT")
#endif

/* Where to access this memory on behalf of the job's context. NULL, with the job's fault set to
 * `denied` (RVL_FAULT_LOAD or RVL_FAULT_STORE), if a kernel of that context could not write all of
 * it. */
void *unit_memory(unit_job *, uint64_t address, uint64_t bytes, rvl_fault_kind denied);

extern const unit_driver model_unit;

#endif
