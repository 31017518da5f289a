/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_UNIT_H
#define RIVULET_FIRMWARE_UNIT_H

#include "device-firmware/core/firmware.h"

#ifdef RIVULET_UNITS
uint32_t unit_count(const firmware *);
void unit_fill_hello(const firmware *, rvl_hello *);
/* Sets the unit of a launch, under the lock. Returns the hart that drives it, or NULL if there is
 * no such unit. */
const hart *unit_accept(const firmware *, launch *);
#else
static inline uint32_t unit_count(const firmware *f) {
    (void)f;
    return 0;
}
static inline void unit_fill_hello(const firmware *f, rvl_hello *hello) {
    (void)f;
    (void)hello;
}
static inline const hart *unit_accept(const firmware *f, launch *launch) {
    (void)f;
    (void)launch;
    return NULL;
}
#endif

#endif
