/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host sees of the firmware's state, and the words of the mailbox that both use. */
#include "device-firmware/core/state.h"

#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/cache.h"

enum { LONELY_HEARTBEAT_MS = 100 }; /* without a host; makes up for a lost doorbell */

static void set_heartbeat(firmware *f, uint32_t milliseconds) {
    f->heartbeat_ticks = milliseconds * f->timebase / 1000;
    f->next_heartbeat = f->heartbeat_ticks ? arch_time(f) : NEVER;
}

/* Hart 0 checks for commands at each heartbeat. */
static uint32_t heartbeat_for(const rvl_boot *host) {
    return host->flags & RVL_BOOT_POLL ? RVL_POLL_MS : host->heartbeat_ms;
}

/* The new host may use other words than the previous one; the completion ring continues from its
 * current position. */
void state_choose_words(firmware *f) {
    rvl_mailbox *mailbox = &f->shared->mailbox;
    rvl_device_words *own = &mailbox->device_words;
    const uint32_t tail = f->words.completion_tail ? *f->words.completion_tail : 0;
    f->large_blocks = f->noncoherent && f->cache_block > RVL_CACHE_BLOCK;
    const bool large = f->large_blocks;
    f->words.notify_enabled = large ? &own->notify_enabled : &mailbox->device_notify_enabled.value;
    f->words.command_head = large ? &own->command_head : &mailbox->commands.head.value;
    f->words.completion_tail = large ? &own->completion_tail : &mailbox->completions.tail.value;
    store_relaxed(f->words.completion_tail, tail);
    f->completion_head = tail - COMPLETION_SLOTS; /* unknown */
    CLEAN_FOR_HOST(f, *f->words.completion_tail);
    /* Hart 0 may be asleep, having requested a doorbell in the previous host's word. */
    store_relaxed(f->words.notify_enabled, 1);
    CLEAN_FOR_HOST(f, *f->words.notify_enabled);
    mailbox->hello.flags &= ~RVL_HELLO_LARGE_BLOCKS;
    mailbox->hello.flags |= large ? RVL_HELLO_LARGE_BLOCKS : 0;
}

/* A hart that is late, and enters a state after another one has failed, must not hide the failure.
 * One that doesn't see `has_failed` here has stored its state before the failing hart stores
 * CRASHED.
 */
void state_store(firmware *f, rvl_state state) {
    uint32_t *word = &f->shared->mailbox.hello.state;
    store_release(word, state); /* order: session.state */
    fence_all();
    if (load_relaxed(&f->has_failed))
        store_relaxed(word, RVL_STATE_CRASHED);
    CLEAN_FOR_HOST(f, f->shared->mailbox.hello);
}

void firmware_enter_state(firmware *f, rvl_state state) {
    state_store(f, state);
    fence_all();
    arch_ring_host(f);
}

/* The completion ring is not reset: the host starts from its tail once it sees its own session
 * number here. */
void state_enter_session(firmware *f, rvl_state state) {
    rvl_mailbox *mailbox = &f->shared->mailbox;
    INVALIDATE_FOR_DEVICE(f, mailbox->commands.tail);
    const uint32_t tail = load_relaxed(&mailbox->commands.tail.value);
    store_relaxed(&f->commands_seen, tail);
    f->commands_wait = false;
    state_choose_words(f);
    store_relaxed(f->words.command_head, tail);
    CLEAN_FOR_HOST(f, *f->words.command_head);
    set_heartbeat(f, state == RVL_STATE_DETACHED ? LONELY_HEARTBEAT_MS
                                                 : heartbeat_for(&mailbox->boot));
    f->serving = state == RVL_STATE_RUNNING;
    store_release(&mailbox->hello.session, f->session); /* order: session.welcome */
    firmware_enter_state(f, state);
}
