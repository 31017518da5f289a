/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of the driver that drivers of tests are made of, in the file RIVULET_LOOPBACK.
 */
#pragma once

#include <dlfcn.h>
#include <stddef.h>

#include "hal/hal.h"

/* NULL if there is no driver of this name. */
static inline const rvl_driver *loopback_table(const char *name) {
    void *library = dlopen(RIVULET_LOOPBACK, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return NULL;
    const rvl_driver *(*named)(const char *);
    *(void **)&named = dlsym(library, "rvl_driver_named");
    return named(name);
}
