/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver for tests: loopback with two devices, distinguished by their names.
 */
#include <string.h>

#include "host-runtime/tests/loopback_table.h"

static const rvl_driver *loopback;

static rvl_status enumerate_two(const rvl_config *config, const rvl_host *host,
                                rvl_device_desc *devices, size_t capacity, size_t *count) {
    rvl_device_desc one;
    memset(&one, 0, sizeof one);
    one.size = sizeof one;
    const rvl_status status = loopback->enumerate(config, host, &one, 1, count);
    if (status != RVL_OK)
        return status;
    for (size_t i = 0; i < 2 && i < capacity; ++i) {
        if (i == 1)
            strcpy(one.name, "second");
        rvl_put_description(devices, i, &one);
    }
    *count = 2;
    return RVL_OK;
}

const rvl_driver *rvl_driver_named(const char *name) {
    static rvl_driver two;
    (void)name;
    loopback = loopback_table("loopback");
    if (loopback == NULL)
        return NULL;
    two = *loopback;
    two.enumerate = enumerate_two;
    return &two;
}
