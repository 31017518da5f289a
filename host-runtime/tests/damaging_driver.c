/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver for tests: loopback's, or loopback-unmapped's, as RIVULET_MACHINE says, which goes wrong
 * in all the ways that the test asks for. The test opens the same file and uses `rvl_damage`.
 */
#include <stdlib.h>
#include <string.h>

#include "host-runtime/tests/damaging_driver.h"
#include "host-runtime/tests/loopback_table.h"

__attribute__((visibility("default"))) struct rvl_damage rvl_damage;

static const rvl_driver *base;

static rvl_status damaging_open(const rvl_config *config, const rvl_device_desc *description,
                                const rvl_host *host, rvl_device **opened) {
    rvl_damage.host = host;
    return base->open(config, description, host, opened);
}

static rvl_status damaging_describe(rvl_device *device, rvl_device_desc *description) {
    const rvl_status status = base->describe(device, description);
    rvl_damage.mailbox = (rvl_mailbox *)(uintptr_t)description->mailbox;
    return status;
}

static rvl_status damaging_reset(rvl_device *device) {
    if (atomic_load(&rvl_damage.writing))
        atomic_store(&rvl_damage.reset_while_writing, 1);
    return base->reset(device);
}

static rvl_status damaging_write(rvl_device *device, uint64_t address, const void *from,
                                 size_t bytes) {
    if (rvl_damage.before_write && bytes >= sizeof(uint64_t)) {
        atomic_store(&rvl_damage.writing, 1);
        rvl_damage.before_write();
    }
    const rvl_status status = base->write(device, address, from, bytes);
    atomic_store(&rvl_damage.writing, 0);
    return status;
}

static rvl_status damaging_ring(rvl_device *device, uint64_t hart_mask) {
    return atomic_load(&rvl_damage.deaf) ? RVL_OK : base->ring(device, hart_mask);
}

const rvl_driver *rvl_driver_named(const char *name) {
    static rvl_driver damaging;
    (void)name;
    const char *machine = getenv("RIVULET_MACHINE");
    base = loopback_table(
        machine != NULL && strcmp(machine, "loopback-unmapped") == 0 ? machine : "loopback");
    if (base == NULL)
        return NULL;
    damaging = *base;
    damaging.open = damaging_open;
    damaging.describe = damaging_describe;
    damaging.reset = damaging_reset;
    damaging.write = damaging_write;
    damaging.ring = damaging_ring;
    return &damaging;
}
