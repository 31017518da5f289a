/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_COMPLETION_H
#define RIVULET_FIRMWARE_COMPLETION_H

#include "device-firmware/core/cache.h"
#include "device-firmware/core/launch.h"
#include "device-firmware/core/seldom.h"

/* All under the lock. */
/* For the caller to fill in. */
ALWAYS_INLINE static inline rvl_completion *completion_slot(firmware *f, rvl_header command) {
    rvl_slot *slot = &f->shared->completions[*f->words.completion_tail % COMPLETION_SLOTS];
    const rvl_header kept = {UINT16_MAX, UINT8_MAX, UINT8_MAX, 0, UINT16_MAX};
    const rvl_header set = {0, 0, RVL_FLAG_COMPLETION, sizeof slot->completion, 0};
    *(word *)&slot->header = (header_bits(command) & header_bits(kept)) | header_bits(set);
    slot->completion.reserved = 0;
    return &slot->completion;
}
bool completion_room(firmware *);
void completion_publish(firmware *);
ALWAYS_INLINE static inline void completion_publish_as(firmware *f, bool noncoherent) {
    uint32_t *tail = f->words.completion_tail, value = *tail;
    if (noncoherent)
        CLEAN_FOR_HOST(f, f->shared->completions[value % COMPLETION_SLOTS]);
    store_release(tail, value + 1); /* order: completion.publish */
    if (noncoherent)
        CLEAN_FOR_HOST(f, *tail);
    fence_all(); /* order: completion.look_for_sleeper */
    if (noncoherent)
        INVALIDATE_FOR_DEVICE(f, f->shared->mailbox.host_notify_enabled);
    if (load_relaxed(&f->shared->mailbox.host_notify_enabled.value))
        f->ring_host = true;
}
void completion_publish_noncoherent(firmware *);
/* Reports a launch that has ended. */
ALWAYS_INLINE static inline void completion_write_inline(firmware *f, const launch *launch) {
    rvl_completion *completion = completion_slot(f, launch->header);
    completion->launch = launch->command.launch;
    completion->result = launch->result;
    completion->start = launch->begun;
    completion->end = launch->ended;
    completion->instructions = launch->instructions;
    completion->harts = launch->harts_ever;
    completion->fault = launch->fault;
    if (f->noncoherent)
        completion_publish_noncoherent(f);
    else
        completion_publish_as(f, false);
}
void completion_write(firmware *, const launch *);
bool completion_flush_ended(firmware *);
/* Writes completions of ended launches; true if it has to be called again. */
static inline bool completion_flush(firmware *f) {
    return f->ended.first && completion_flush_ended(f);
}

#endif
