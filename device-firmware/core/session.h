/* SPDX-License-Identifier: Apache-2.0
 *
 * Hosts that connect, leave, or vanish. */
#ifndef RIVULET_FIRMWARE_SESSION_H
#define RIVULET_FIRMWARE_SESSION_H

#include "device-firmware/core/firmware.h"

void session_begin(firmware *);             /* at boot */
bool session_serve(firmware *);             /* under the lock; false if there is no host to serve */
bool session_is_changing(const firmware *); /* by the host; called by hart 0, without the lock */

#endif
