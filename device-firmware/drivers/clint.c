/* SPDX-License-Identifier: Apache-2.0
 *
 * Timers and inter-hart interrupts: SiFive's CLINT, its T-Head variant without mtime, and the
 * ACLINT specification's MSWI and MTIMER. One register per hart, in the order of
 * interrupts-extended. */
#include "device-firmware/drivers/drivers.h"

enum { CLINT_COMPARE = 0x4000 }; /* the end of its registers with MSIP */

typedef struct kind {
    const char *name;
    int8_t software_range; /* index of the reg range with MSIP; -1: none */
    int8_t compare_range;
    uint16_t compare_offset;
    int8_t time_range;
    uint16_t time_offset;
} kind;

static const kind kinds[] = {
#define RIVULET_CLINT(...) {__VA_ARGS__},
#include "device-firmware/drivers/match/clint.def"
};

static const kind *kind_of(const device *d) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (device_is(d, kinds[i].name))
            return &kinds[i];
    return NULL;
}

/* The device that is wired to the hart, since each cluster of a chip may have its own; the first
 * one for a hart that only a handed-over tree lists. */
static const device *device_of(uint32_t hart_id, uint32_t cause) {
    const device *first = NULL;
    for (size_t i = 0; i < board_device_count; ++i) {
        const device *d = &board_devices[i];
        const kind *kind = kind_of(d);
        if (!kind || (cause == LINE_SOFTWARE ? kind->software_range : kind->compare_range) < 0)
            continue;
        if (device_has_line(d, hart_id, cause))
            return d;
        if (!first)
            first = d;
    }
    return first;
}

static uint32_t place(const device *d, uint32_t hart_id, uint32_t cause, bool by_id) {
    return by_id ? hart_id : device_line_index(d, hart_id, cause);
}

static uintptr_t software_interrupt(uint32_t hart_id, bool by_id) {
    const device *d = device_of(hart_id, LINE_SOFTWARE);
    if (!d)
        return 0;
    const int8_t range = kind_of(d)->software_range;
    const uintptr_t offset = 4 * (uintptr_t)place(d, hart_id, LINE_SOFTWARE, by_id);
    return offset < CLINT_COMPARE && offset < d->bytes[range] ? d->base[range] + offset : 0;
}

static uintptr_t compare(uint32_t hart_id, bool by_id) {
    const device *d = device_of(hart_id, LINE_TIMER);
    if (!d)
        return 0;
    const kind *kind = kind_of(d);
    return d->base[kind->compare_range] + kind->compare_offset +
           8 * (uintptr_t)place(d, hart_id, LINE_TIMER, by_id);
}

uintptr_t clint_software_interrupt(uint32_t hart_id) { return software_interrupt(hart_id, false); }
uintptr_t clint_software_interrupt_by_id(uint32_t hart_id) {
    return software_interrupt(hart_id, true);
}
uintptr_t clint_compare(uint32_t hart_id) { return compare(hart_id, false); }
uintptr_t clint_compare_by_id(uint32_t hart_id) { return compare(hart_id, true); }

uintptr_t clint_time(void) {
    for (size_t i = 0; i < board_device_count; ++i) {
        const kind *kind = kind_of(&board_devices[i]);
        if (kind && kind->time_range >= 0)
            return board_devices[i].base[kind->time_range] + kind->time_offset;
    }
    return 0;
}
