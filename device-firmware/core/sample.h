/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_SAMPLE_H
#define RIVULET_FIRMWARE_SAMPLE_H

#include "device-firmware/core/firmware.h"

/* All under the lock. */
rvl_result sample_start(firmware *, const rvl_slot *);
void sample_stop(firmware *);
void sample_enter(firmware *, hart *, uint64_t now); /* while sampling is on */
void sample_leave(firmware *, hart *);
void sample_take(firmware *, hart *); /* if a sample is due */

#endif
