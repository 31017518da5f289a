/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver for tests: loopback's, with its doorbell counted. The test opens the same file and reads
 * rvl_rings.
 */
#include <stdatomic.h>

#include "host-runtime/tests/loopback_table.h"

__attribute__((visibility("default"))) atomic_int rvl_rings;

static const rvl_driver *loopback;

static rvl_status counted_ring(rvl_device *device, uint64_t hart_mask) {
    atomic_fetch_add(&rvl_rings, 1);
    return loopback->ring(device, hart_mask);
}

const rvl_driver *rvl_driver_named(const char *name) {
    static rvl_driver counting;
    (void)name;
    loopback = loopback_table("loopback");
    if (loopback == NULL)
        return NULL;
    counting = *loopback;
    counting.ring = counted_ring;
    return &counting;
}
