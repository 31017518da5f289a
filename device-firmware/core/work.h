/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_WORK_H
#define RIVULET_FIRMWARE_WORK_H

#include "device-firmware/core/firmware.h"

/* The main loop of a hart. Returns when arch_stopping() says so. */
void firmware_work(firmware *, hart *);
/* Called on an interrupt while the hart runs a kernel, and from time to time while a unit does.
 * True if it has to leave the kernel: then hart.launch is NULL, and the registers have to be saved
 * for arch_resume_kernel. Never on machines that can't (firmware.preempts). */
bool firmware_interrupt(firmware *, hart *);
/* Called on a trap of the kernel that the hart runs; fills in the report's launch, hart and
 * groups. */
void firmware_fault(firmware *, hart *, rvl_fault *);

#endif
