/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_LOG_H
#define RIVULET_FIRMWARE_LOG_H

#include "device-firmware/core/firmware.h"

__attribute__((format(printf, 3, 4))) void firmware_log(firmware *, uint32_t hart,
                                                        const char *format, ...);

#endif
