/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_BOOT_H
#define RIVULET_FIRMWARE_BOOT_H

#include "device-firmware/core/firmware.h"

/* The architecture fills in the fields above the lock, and firmware, index and alarm
 * (NEVER) of every hart. Then any one hart calls firmware_boot, which returns false if the harts
 * can't work, and after that every hart calls firmware_work. */
bool firmware_boot(firmware *);
/* Fills in the architecture-independent part of the crash report, but for the time, because the
 * clock may be a device. The host looks for it when it misses the firmware's heartbeats. */
void firmware_record_crash(firmware *, uint32_t hart_index, const char *why);
/* Adds what has been logged since, and tells the host. All other harts have been stopped. */
void firmware_publish_crash(firmware *);

#endif
