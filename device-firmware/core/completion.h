/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_COMPLETION_H
#define RIVULET_FIRMWARE_COMPLETION_H

#include "device-firmware/core/cache.h"
#include "device-firmware/core/launch.h"
#include "device-firmware/core/seldom.h"

/* All under the lock. */
/* The slot behind this tail of the ring. */
ALWAYS_INLINE static inline rvl_slot *completion_slot_at(const firmware *f, uint32_t tail) {
    return &f->shared->completions[tail % COMPLETION_SLOTS];
}
/* For the caller to fill in. */
rvl_completion *completion_slot(firmware *f, rvl_header command);
bool completion_room(firmware *);
void completion_publish(firmware *);
/* Publishes the slot behind `value`, the ring's tail. True if the host wants a bell. */
ALWAYS_INLINE static inline bool completion_publish_as(firmware *f, uint32_t value,
                                                       bool noncoherent) {
    uint32_t *tail = f->words.completion_tail;
    shared_memory *shared = f->shared;
    if (noncoherent)
        CLEAN_FOR_HOST(f, *completion_slot_at(f, value));
    store_release(tail, value + 1); /* order: completion.publish */
    if (noncoherent)
        CLEAN_FOR_HOST(f, *tail);
    fence_all(); /* order: completion.look_for_sleeper */
    if (noncoherent)
        INVALIDATE_FOR_DEVICE(f, shared->mailbox.host_notify_enabled);
    return load_relaxed(&shared->mailbox.host_notify_enabled.value);
}
bool completion_publish_noncoherent(firmware *, uint32_t tail);
/* Reports a launch that has ended. */
void completion_write(firmware *, const launch *);
bool completion_flush_ended(firmware *);
/* Writes completions of ended launches; true if it has to be called again. */
static inline bool completion_flush(firmware *f) {
    return f->ended.first && completion_flush_ended(f);
}

#endif
