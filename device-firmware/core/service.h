/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_SERVICE_H
#define RIVULET_FIRMWARE_SERVICE_H

#include "device-firmware/core/firmware.h"

/* All under the lock. */
void service_commands(firmware *);
bool service_nothing_new(firmware *); /* … after it has requested a doorbell */

#endif
