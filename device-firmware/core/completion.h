/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_COMPLETION_H
#define RIVULET_FIRMWARE_COMPLETION_H

#include "device-firmware/core/firmware.h"

/* All under the lock. */
/* For the caller to fill in. */
static inline rvl_completion *completion_slot(firmware *f, rvl_header command) {
    rvl_slot *slot = &f->shared->completions[*f->words.completion_tail % COMPLETION_SLOTS];
    command.flags |= RVL_FLAG_COMPLETION;
    command.length = sizeof slot->completion;
    slot->header = command;
    slot->completion.reserved = 0;
    return &slot->completion;
}
bool completion_room(firmware *);
void completion_publish(firmware *);
/* Reports a launch that has ended. */
static inline void completion_write(firmware *f, const launch *launch) {
    rvl_completion *completion = completion_slot(f, launch->header);
    completion->launch = launch->command.launch;
    completion->result = launch->result;
    completion->start = launch->begun;
    completion->end = launch->ended;
    completion->instructions = launch->instructions;
    completion->harts = launch->harts_ever;
    completion->fault = launch->fault;
    completion_publish(f);
}
bool completion_flush_ended(firmware *);
/* Writes completions of ended launches; true if it has to be called again. */
static inline bool completion_flush(firmware *f) {
    return f->ended.first && completion_flush_ended(f);
}

#endif
