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
#include "device-firmware/core/seldom.h"

/* One slot is reserved for the long command. */
static bool has_room(const firmware *f) {
    return *f->words.completion_tail - f->completion_head + f->long_command < COMPLETION_SLOTS;
}

bool completion_room(firmware *f) {
    if (has_room(f))
        return true;
    const rvl_ring *ring = &f->shared->mailbox.completions;
    INVALIDATE_FOR_DEVICE(f, ring->head);
    f->completion_head = load_acquire(&ring->head.value); /* order: completion.room */
    return has_room(f);
}

static inline void publish(firmware *f, bool noncoherent) {
    rvl_mailbox *mailbox = &f->shared->mailbox;
    uint32_t *tail = f->words.completion_tail, value = *tail;
    if (noncoherent)
        CLEAN_FOR_HOST(f, f->shared->completions[value % COMPLETION_SLOTS]);
    store_release(tail, value + 1); /* order: completion.publish */
    if (noncoherent)
        CLEAN_FOR_HOST(f, *tail);
    fence_all(); /* order: completion.look_for_sleeper */
    if (noncoherent)
        INVALIDATE_FOR_DEVICE(f, mailbox->host_notify_enabled);
    if (load_relaxed(&mailbox->host_notify_enabled.value))
        f->ring_host = true;
}

SELDOM static void publish_noncoherent(firmware *f) { publish(f, true); }

void completion_publish(firmware *f) {
    if (f->noncoherent)
        publish_noncoherent(f);
    else
        publish(f, false);
}

static bool is_reported(const firmware *f, const launch *launch) {
    if (launch->session != f->session || launch_is_wait(launch))
        return false;
    return launch->result != RVL_RESULT_OK || !(launch->header.flags & RVL_FLAG_SILENT);
}

bool completion_flush_ended(firmware *f) {
    int steps = 0;
    for (launch *launch; (launch = f->ended.first) != NULL;) {
        if (steps++ == STEPS_AT_ONCE)
            return true;
        const bool reported = is_reported(f, launch);
        if (reported && !completion_room(f))
            return false;
        launch_remove(&f->ended, launch);
        if (reported)
            completion_write(f, launch);
        launch_free(f, launch);
    }
    return false;
}
