/* SPDX-License-Identifier: Apache-2.0
 *
 * Clears the data of former hosts from memory, before serving a host that asks for it. The work
 * is split into pieces that all harts share. */
#include "device-firmware/core/clear.h"

#include "device-firmware/core/arch.h"
#include "device-firmware/core/cache.h"
#include "device-firmware/core/lock.h"
#include "device-firmware/core/range.h"
#include "device-firmware/core/schedule.h"
#include "device-firmware/core/state.h"

enum { CLEAR_AT_ONCE = 256 << 10 };

/* Everything kernels and hosts can write: heaps, the harts' memory, rings and the fault table.
 * The whole heap of the board is cleared, regardless of this host's regions. The log and the
 * statistics stay, as they describe only the firmware itself. */
enum { RANGES_TO_CLEAR = 5 };
static memory_range range_to_clear(const firmware *f, uint32_t number) {
    const shared_memory *shared = f->shared;
    const memory_range ranges[RANGES_TO_CLEAR] = {
        {f->heap, f->heap + f->board_heap_bytes},
        {f->second_heap, f->second_heap + f->second_heap_bytes},
        {f->hart_memory, f->hart_memory + f->harts * f->hart_memory_bytes},
        {f->scratchpad, f->scratchpad + (f->scratchpad ? f->harts * f->local_memory_bytes : 0)},
        {(uintptr_t)shared->commands, (uintptr_t)shared->statistics},
    };
    return ranges[number];
}
_Static_assert(offsetof(shared_memory, commands) < offsetof(shared_memory, completions) &&
                   offsetof(shared_memory, completions) < offsetof(shared_memory, faults) &&
                   offsetof(shared_memory, faults) + sizeof(rvl_fault) * FAULT_SLOTS ==
                       offsetof(shared_memory, statistics),
               "only rings and fault table come before the statistics");

/* Returns the next piece for one hart to clear; empty if all have been handed out. */
static memory_range take_piece(firmware *f) {
    for (; f->clearing_range < RANGES_TO_CLEAR; ++f->clearing_range, f->clearing_from = 0) {
        memory_range piece = range_to_clear(f, f->clearing_range);
        piece.from += f->clearing_from;
        if (piece.from == piece.to)
            continue;
        if (piece.to - piece.from > CLEAR_AT_ONCE)
            piece.to = piece.from + CLEAR_AT_ONCE;
        f->clearing_from += piece.to - piece.from;
        return piece;
    }
    return (memory_range){0, 0};
}

/* Called under the lock, when no launch is known and no hart still clears memory for an earlier
 * host. */
void clear_begin(firmware *f) {
    f->shared->mailbox.hello.flags |= RVL_HELLO_CLEARED;
    f->clearing = true;
    f->clearing_range = 0;
    f->clearing_from = 0;
    schedule_wake_idle(f);
}

bool clear_some(firmware *f, hart *hart) {
    firmware_lock(f);
    const memory_range piece = f->clearing ? take_piece(f) : (memory_range){0, 0};
    const bool works = piece.from != piece.to; /* compared for equality because an end may be
                                                * 2^64 */
    if (works) {
        ++f->clearing_harts;
        firmware_unlock(f);
        arch_clear_memory(f, hart, piece.from, piece.to - piece.from);
        clean_for_host(f, (const void *)(uintptr_t)piece.from, (size_t)(piece.to - piece.from));
        firmware_lock(f);
        --f->clearing_harts;
    }
    if (f->clearing && !f->clearing_harts && f->clearing_range == RANGES_TO_CLEAR) {
        f->clearing = false;
        state_enter_session(f, RVL_STATE_RUNNING);
    }
    firmware_unlock(f);
    return works;
}
