/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of the drivers in this folder. */
#ifndef RIVULET_HAL_DRIVERS_H
#define RIVULET_HAL_DRIVERS_H

#include "hal/hal.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const rvl_driver rvl_driver_qemu;
extern const rvl_driver rvl_driver_loopback;
extern const rvl_driver rvl_driver_loopback_unmapped;
extern const rvl_driver rvl_driver_loopback_noncoherent;
extern const rvl_driver rvl_driver_null;

#ifdef __cplusplus
}
#endif
#endif
