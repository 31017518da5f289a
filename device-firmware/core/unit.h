/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_UNIT_H
#define RIVULET_FIRMWARE_UNIT_H

#include "device-firmware/core/firmware.h"

void unit_fill_hello(const firmware *, rvl_hello *);
/* Sets unit and harts of a launch, under the lock; false if there is no such unit. */
bool unit_accept(const firmware *, launch *);

#endif
