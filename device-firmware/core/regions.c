/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that the host provides in addition to the board's own: a second heap, and a scratchpad
 * for local memory, which the board's tree may name, too. Each host names its own; a region that
 * can't be used is logged and ignored. */
#include "device-firmware/core/regions.h"

#include <string.h>

#include "device-firmware/core/arch.h"
#include "device-firmware/core/log.h"
#include "device-firmware/core/range.h"

typedef struct region {
    const char *name;
    uint64_t base, bytes;
} region;

/* The host is trusted; this catches drivers that describe another board. */
static const char *flaw_of(const firmware *f, const region *region) {
    const uint64_t last = region->base + region->bytes - 1;
    if ((region->base | region->bytes) % RVL_PAGE_BYTES)
        return "is not a whole number of pages";
    if (last < region->base || (uintptr_t)last != last ||
        (f->address_end && last >= f->address_end))
        return "ends beyond the last address";
    if (range_overlaps(region->base, region->bytes, (uintptr_t)f->shared, f->shared_bytes) ||
        range_overlaps(region->base, region->bytes, f->code, f->code_bytes) ||
        range_overlaps(region->base, region->bytes, f->hart_memory,
                       f->harts * f->hart_memory_bytes) ||
        range_overlaps(region->base, region->bytes, f->boot, f->boot_bytes))
        return "overlaps the firmware's memory";
    if (!regions_can_be_protected(f))
        return "can't be protected: some hart has too few PMP entries";
    return NULL;
}

static bool is_usable(firmware *f, const region *region, const char *flaw) {
    if (!region->bytes)
        return false;
    if (!flaw)
        flaw = flaw_of(f, region);
    if (flaw)
        firmware_log(f, 0, "the %s at 0x%lx, %lu KiB, %s: it is not used", region->name,
                     (unsigned long)region->base, (unsigned long)(region->bytes >> 10), flaw);
    return !flaw;
}

static void take_from_heap(firmware *f, const region *region) {
    if (range_within(region->base, 0, f->heap, f->heap_bytes))
        f->heap_bytes = region->base - f->heap;
}

static void choose(firmware *f, const rvl_boot *host) {
    f->heap_bytes = f->board_heap_bytes;
    f->local_memory_bytes = f->board_local_memory_bytes;
    f->second_heap = f->second_heap_bytes = f->scratchpad = 0;
    if (host->protocol < RVL_VERSION(1, 4)) /* earlier protocols have padding there */
        return;
    const region heap = {"second heap", host->second_heap_base, host->second_heap_bytes};
    region pad = {"scratchpad", host->scratchpad_base, host->scratchpad_bytes};
    if (ARCH_SCRATCHPAD_BYTES && !pad.bytes)
        pad = (region){pad.name, ARCH_SCRATCHPAD_BASE, ARCH_SCRATCHPAD_BYTES};
    if (is_usable(f, &heap, NULL)) {
        take_from_heap(f, &heap);
        f->second_heap = heap.base;
        f->second_heap_bytes = heap.bytes;
    }
    const uint64_t share = rvl_scratchpad_share(pad.bytes, f->harts);
    const char *flaw = NULL;
    if (!share)
        flaw = "has less than a page for each hart";
    else if (range_overlaps(pad.base, pad.bytes, f->second_heap, f->second_heap_bytes))
        flaw = "overlaps the second heap";
    if (is_usable(f, &pad, flaw)) {
        take_from_heap(f, &pad);
        f->scratchpad = pad.base;
        f->local_memory_bytes = share;
    }
}

void regions_take(firmware *f, const rvl_boot *host) {
    choose(f, host);
    f->kind = NULL; /* memory of launches is validated against these regions */
    memset(f->kinds, 0, sizeof f->kinds);
    rvl_hello *hello = &f->shared->mailbox.hello;
    hello->heap_bytes = f->heap_bytes;
    hello->local_memory_bytes = f->local_memory_bytes;
    hello->second_heap_base = f->second_heap;
    hello->second_heap_bytes = f->second_heap_bytes;
    hello->flags &= ~RVL_HELLO_SCRATCHPAD;
    if (f->scratchpad)
        hello->flags |= RVL_HELLO_SCRATCHPAD;
    hello->flags &= ~RVL_HELLO_SHARED_PAGES;
    if (regions_can_be_protected(f))
        hello->flags |= RVL_HELLO_SHARED_PAGES;
}

memory_range regions_local_memory(const firmware *f, const hart *hart) {
    const uint64_t from = f->scratchpad + hart->index * f->local_memory_bytes;
    return (memory_range){from, from + f->local_memory_bytes};
}

bool regions_hold(const firmware *f, uint64_t address, uint64_t bytes) {
    return range_within(address, bytes, f->heap, f->heap_bytes) ||
           range_within(address, bytes, f->second_heap, f->second_heap_bytes);
}
