/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_REGIONS_H
#define RIVULET_FIRMWARE_REGIONS_H

#include "device-firmware/core/firmware.h"
#include "device-firmware/core/range.h"

enum { REGIONS_PMP_ENTRIES = 13 };
/* True if launches can have a second arena. */
static inline bool regions_can_be_protected(const firmware *f) {
    return !f->pmp_entries || f->pmp_entries >= REGIONS_PMP_ENTRIES;
}
void regions_take(firmware *, const rvl_boot *); /* the host's regions; no kernel may be running */
memory_range regions_local_memory(const firmware *, const hart *);
/* in the heap or the second heap */
bool regions_hold(const firmware *, uint64_t address, uint64_t bytes);

#endif
