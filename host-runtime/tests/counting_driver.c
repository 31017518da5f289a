/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver for tests: loopback's, or loopback-unmapped's, as RIVULET_MACHINE says, with its
 * doorbells and the bytes that the host writes in large pieces counted. The test opens the same
 * file and reads rvl_rings and rvl_written; through rvl_hosts it says that a device has died.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "host-runtime/tests/loopback_table.h"

__attribute__((visibility("default"))) atomic_int rvl_rings;
__attribute__((visibility("default"))) atomic_ulong rvl_written;
__attribute__((visibility("default"))) const rvl_host *rvl_hosts[3]; /* in turn */

enum { LARGE = 1024 }; /* no launch record is */

static const rvl_driver *base;

static rvl_status counted_open(const rvl_config *config, const rvl_device_desc *description,
                               const rvl_host *host, rvl_device **opened) {
    static atomic_uint opens;
    rvl_hosts[atomic_fetch_add(&opens, 1) % 3] = host;
    return base->open(config, description, host, opened);
}

static rvl_status counted_ring(rvl_device *device, uint64_t hart_mask) {
    atomic_fetch_add(&rvl_rings, 1);
    return base->ring(device, hart_mask);
}

static rvl_status counted_write(rvl_device *device, uint64_t address, const void *from,
                                size_t bytes) {
    if (bytes >= LARGE)
        atomic_fetch_add(&rvl_written, bytes);
    return base->write(device, address, from, bytes);
}

const rvl_driver *rvl_driver_named(const char *name) {
    static rvl_driver counting;
    (void)name;
    const char *machine = getenv("RIVULET_MACHINE");
    const char *unmapped = "loopback-unmapped";
    base = loopback_table(machine != NULL && strncmp(machine, unmapped, strlen(unmapped)) == 0
                              ? unmapped
                              : "loopback");
    if (base == NULL)
        return NULL;
    counting = *base;
    counting.open = counted_open;
    counting.ring = counted_ring;
    counting.write = counted_write;
    return &counting;
}
