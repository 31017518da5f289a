/* SPDX-License-Identifier: Apache-2.0
 *
 * Hosts that connect, leave or vanish while the firmware runs. Everything a host requested ends
 * with it: the next one is served once no hart is inside an old launch. */
#include "device-firmware/core/session.h"

#include <string.h>

#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/cache.h"
#include "device-firmware/core/clear.h"
#include "device-firmware/core/completion.h"
#include "device-firmware/core/hart_set.h"
#include "device-firmware/core/log.h"
#include "device-firmware/core/regions.h"
#include "device-firmware/core/sample.h"
#include "device-firmware/core/schedule.h"
#include "device-firmware/core/seldom.h"
#include "device-firmware/core/state.h"

static rvl_state judge_protocol(firmware *f, uint32_t host) {
    if (RVL_VERSION_MAJOR(host) == RVL_VERSION_MAJOR(RVL_PROTOCOL_VERSION))
        return RVL_STATE_RUNNING;
    firmware_log(f, 0, "the host speaks protocol %u.%u, this firmware %u.%u: refused",
                 (unsigned)RVL_VERSION_MAJOR(host), (unsigned)RVL_VERSION_MINOR(host),
                 (unsigned)RVL_VERSION_MAJOR(RVL_PROTOCOL_VERSION),
                 (unsigned)RVL_VERSION_MINOR(RVL_PROTOCOL_VERSION));
    return RVL_STATE_REFUSED;
}

static rvl_state judge_fences(firmware *f, bool allowed) {
    if (!f->flaw)
        return RVL_STATE_RUNNING;
    firmware_log(f, 0, "hart %u can't fence kernels: %s%s", (unsigned)f->flawed_hart, f->flaw,
                 allowed ? "; they run unfenced, as asked for"
                         : "; unfenced=yes in RIVULET_MACHINE runs them anyway");
    return allowed ? RVL_STATE_RUNNING : RVL_STATE_CRASHED;
}

static rvl_state judge_caches(firmware *f, uint32_t host_flags) {
    const bool noncoherent = host_flags & RVL_BOOT_NONCOHERENT;
    const char *flaw = NULL;
    if (noncoherent && !f->has_cache_operations)
        flaw = "which can't be maintained: the ISA has no zicbom and the platform no hook";
    else if (noncoherent && f->cache_block > RVL_LARGEST_CACHE_BLOCK)
        flaw = "whose blocks are larger than 256 bytes";
    else if (noncoherent && f->cache_block > RVL_CACHE_BLOCK &&
             !(host_flags & RVL_BOOT_LARGE_BLOCKS))
        flaw = "whose blocks have more than the 64 bytes that this library can share";
    f->noncoherent = noncoherent && f->has_cache_operations;
    if (flaw)
        firmware_log(f, 0, "the host is not coherent with the harts' caches, %s", flaw);
    return flaw ? RVL_STATE_CRASHED : RVL_STATE_RUNNING;
}

/* RAM contents at power on, or what a former host left, must not be taken for an update request
 * when this host resets the device. */
static void forget_update(firmware *f) {
    if (f->update) {
        f->update->magic = 0;
        CLEAN_FOR_HOST(f, f->update->magic);
    }
}

/* Returns the state that this host gets to see. */
static rvl_state judge(firmware *f, const rvl_boot *host) {
    if (host->magic != RVL_MAILBOX_MAGIC) {
        f->noncoherent = f->has_cache_operations; /* the next host may be non-coherent, and must
                                                   * still be detected */
        firmware_log(f, 0, "board %s, %u harts: waits for a host, mailbox at 0x%lx", f->board,
                     (unsigned)f->harts, (unsigned long)(uintptr_t)&f->shared->mailbox);
        return RVL_STATE_DETACHED;
    }
    forget_update(f);
    regions_take(f, host);
    rvl_state state = judge_protocol(f, host->protocol);
    if (state == RVL_STATE_RUNNING)
        state = judge_fences(f, host->flags & RVL_BOOT_UNFENCED);
    if (state == RVL_STATE_RUNNING)
        state = judge_caches(f, host->flags);
    if (state == RVL_STATE_RUNNING)
        firmware_log(f, 0, "board %s, %u harts, VLEN %u, %u MiB of heap", f->board,
                     (unsigned)f->harts, (unsigned)f->vlen, (unsigned)(f->heap_bytes >> 20));
    return state;
}

static void take_preemptions(firmware *f, const rvl_boot *host) {
    const uint32_t us = host->magic == RVL_MAILBOX_MAGIC ? host->preempt_us : 0;
    f->preempt_ticks = us * f->timebase / 1000000;
    f->random = f->session;
}

/* Called when no hart is inside a launch of an earlier host or clears memory for one. */
SELDOM static void welcome(firmware *f) {
    const rvl_boot *host = &f->shared->mailbox.boot;
    rvl_hello *hello = &f->shared->mailbox.hello;
    INVALIDATE_FOR_DEVICE(f, *host);
    const rvl_state state = judge(f, host);
    take_preemptions(f, host);
    hello->flags &= ~RVL_HELLO_CLEARED;
    if (state == RVL_STATE_RUNNING && (host->flags & RVL_BOOT_CLEAR))
        clear_begin(f);
    else
        state_enter_session(f, state);
}

void session_begin(firmware *f) {
    forget_update(f);
    INVALIDATE_FOR_DEVICE(f, f->shared->mailbox.boot);
    f->session = load_acquire(&f->shared->mailbox.boot.session);
    welcome(f);
}

/* The host has gone, and another one has come. */
SELDOM static void begin_leaving(firmware *f, uint32_t session) {
    store_relaxed(&f->session, session);
    f->leaving = true;
    f->serving = f->clearing = false;
    state_store(f, RVL_STATE_BOOTING);
    sample_stop(f);
    memset(f->failures, 0, sizeof f->failures); /* the next host counts from 1 */
    f->abandoning = true;
    f->next_abandoned = 0;
}

/* Ends what the former host has left; once all of it has ended, the next one is served. */
SELDOM static void leave(firmware *f) {
    f->abandoning = f->abandoning && !schedule_abandon(f);
    f->abandoning |= completion_flush(f); /* it is called again for the rest of these, too */
    f->leaving = f->abandoning || f->free_launches < MAX_LAUNCHES || f->clearing_harts ||
                 !hart_set_is_empty(f->saving);
    if (!f->leaving)
        welcome(f);
}

bool session_serve(firmware *f) {
    rvl_mailbox *mailbox = &f->shared->mailbox;
    INVALIDATE_FOR_DEVICE(f, mailbox->boot);
    const uint32_t session = load_acquire(&mailbox->boot.session); /* order: session.take */
    if (session != f->session)
        begin_leaving(f, session);
    if (f->leaving)
        leave(f);
    if (f->serving)
        return true;
    INVALIDATE_FOR_DEVICE(f, mailbox->commands.tail);
    store_relaxed(&f->commands_seen, load_relaxed(&mailbox->commands.tail.value));
    return false;
}

bool session_is_changing(const firmware *f) {
    INVALIDATE_FOR_DEVICE(f, f->shared->mailbox.boot);
    return load_relaxed(&f->shared->mailbox.boot.session) != load_relaxed(&f->session);
}
