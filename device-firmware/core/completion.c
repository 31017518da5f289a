/* SPDX-License-Identifier: Apache-2.0
 *
 * Producer of the completion ring. Launches that ended while it was full stay in firmware.ended
 * until the host has made room; nothing is lost. */
#include "device-firmware/core/completion.h"

#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/cache.h"
#include "device-firmware/core/launch.h"
#include "device-firmware/core/launch_list.h"

bool completion_room(const firmware *f) {
    const rvl_ring *ring = &f->shared->mailbox.completions;
    INVALIDATE_FOR_DEVICE(f, ring->head);
    uint32_t head = load_acquire(&ring->head.value); /* order: completion.room */
    return *f->words.completion_tail - head + f->long_command <
           COMPLETION_SLOTS; /* one slot is reserved for the long command */
}

rvl_completion *completion_begin(firmware *f, rvl_header command) {
    uint32_t tail = *f->words.completion_tail;
    rvl_slot *slot = &f->shared->completions[tail % COMPLETION_SLOTS];
    slot->header = command;
    slot->header.flags |= RVL_FLAG_COMPLETION;
    slot->header.length = sizeof slot->completion;
    slot->completion.reserved = 0;
    return &slot->completion;
}

void completion_publish(firmware *f) {
    rvl_mailbox *mailbox = &f->shared->mailbox;
    uint32_t tail = *f->words.completion_tail;
    CLEAN_FOR_HOST(f, f->shared->completions[tail % COMPLETION_SLOTS]);
    store_release(f->words.completion_tail, tail + 1); /* order: completion.publish */
    CLEAN_FOR_HOST(f, *f->words.completion_tail);
    fence_all(); /* order: completion.look_for_sleeper */
    INVALIDATE_FOR_DEVICE(f, mailbox->host_notify_enabled);
    if (load_relaxed(&mailbox->host_notify_enabled.value))
        f->ring_host = true;
}

static bool is_silent(const launch *launch) {
    if (launch_is_wait(launch))
        return true;
    return launch->result == RVL_RESULT_OK && (launch->header.flags & RVL_FLAG_SILENT);
}

static bool is_reported(const firmware *f, const launch *launch) {
    return launch->session == f->session && !is_silent(launch);
}

bool completion_can_report(const firmware *f, const launch *launch) {
    return !is_reported(f, launch) || completion_room(f);
}

void completion_report(firmware *f, launch *launch) {
    if (is_reported(f, launch)) {
        rvl_completion *completion = completion_begin(f, launch->header);
        completion->launch = launch->command.launch;
        completion->result = launch->result;
        completion->start = launch->begun;
        completion->end = launch->ended;
        completion->instructions = launch->instructions;
        completion->harts = launch->harts_ever;
        completion->fault = launch->fault;
        completion_publish(f);
    }
    launch_free(f, launch);
}

bool completion_flush_ended(firmware *f) {
    int steps = 0;
    for (launch *launch; (launch = f->ended.first) != NULL;) {
        if (steps++ == STEPS_AT_ONCE)
            return true;
        if (!completion_can_report(f, launch))
            return false;
        launch_remove(&f->ended, launch);
        completion_report(f, launch);
    }
    return false;
}
