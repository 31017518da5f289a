/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_COMPLETION_H
#define RIVULET_FIRMWARE_COMPLETION_H

#include "device-firmware/core/firmware.h"

/* All under the lock. */
bool completion_room(const firmware *);
rvl_completion *completion_begin(firmware *, rvl_header command); /* for the caller to fill in */
void completion_publish(firmware *);
/* Reports a launch that has ended, and frees it. */
bool completion_can_report(const firmware *, const launch *);
void completion_report(firmware *, launch *);
bool completion_flush_ended(firmware *);
/* Writes completions of ended launches; true if it has to be called again. */
static inline bool completion_flush(firmware *f) {
    return f->ended.first && completion_flush_ended(f);
}

#endif
