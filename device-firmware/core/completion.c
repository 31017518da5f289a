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

SELDOM void completion_publish_noncoherent(firmware *f) { completion_publish_as(f, true); }

void completion_publish(firmware *f) { completion_publish_as(f, f->noncoherent); }

SELDOM void completion_write(firmware *f, const launch *launch) {
    completion_write_inline(f, launch);
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
