/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_UNIT_JOB_H
#define RIVULET_FIRMWARE_UNIT_JOB_H

#include "device-firmware/core/firmware.h"

/* Boards without units have none of their code. */
#ifdef RIVULET_UNITS
#define FIRMWARE_HAS_UNITS true
#else
#define FIRMWARE_HAS_UNITS false
#endif

/* The functions of unit_driver for the launch of this hart, without the lock. */
unit_state unit_begin(firmware *, const hart *);
unit_state unit_step(firmware *, const hart *);
void unit_stop(firmware *, const hart *);
/* Fills in kind and value of the report of a failure. */
void unit_describe_failure(firmware *, const hart *, rvl_fault *);

#endif
