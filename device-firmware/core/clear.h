/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_CLEAR_H
#define RIVULET_FIRMWARE_CLEAR_H

#include "device-firmware/core/firmware.h"

void clear_begin(firmware *);        /* the host is served once this is done */
bool clear_some(firmware *, hart *); /* without the lock; true if there was something to clear */

#endif
