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

rvl_completion *completion_slot(firmware *f, rvl_header command) {
    rvl_slot *slot = completion_slot_at(f, *f->words.completion_tail);
    const rvl_header kept = {UINT16_MAX, UINT8_MAX, UINT8_MAX, 0, UINT16_MAX};
    const rvl_header set = {0, 0, RVL_FLAG_COMPLETION, sizeof slot->completion, 0};
    *(word *)&slot->header = (header_bits(command) & header_bits(kept)) | header_bits(set);
    slot->completion.reserved = 0;
    return &slot->completion;
}

SELDOM bool completion_publish_noncoherent(firmware *f, uint32_t tail) {
    return completion_publish_as(f, tail, true);
}

void completion_publish(firmware *f) {
    const uint32_t tail = *f->words.completion_tail;
    if (f->noncoherent ? completion_publish_noncoherent(f, tail)
                       : completion_publish_as(f, tail, false))
        f->ring_host = true;
}

SELDOM void completion_write(firmware *f, const launch *launch) {
    rvl_completion *completion = completion_slot(f, launch->header);
    completion->launch = launch->command.launch;
    completion->result = launch->result;
    completion->start = launch->begun;
    completion->end = launch->ended;
    completion->instructions = launch->instructions;
    completion->harts = launch->harts_ever.word[0];
    completion->fault = launch->fault;
    completion_publish(f);
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
