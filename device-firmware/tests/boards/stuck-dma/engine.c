/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy engine with a flaw: copies of STUCK_BYTES neither end nor can be stopped, and while it
 * copies HANGING_BYTES, accesses to its registers never end. If it has more registers than a page,
 * a copy is under way from the start. */
#include "device-firmware/drivers/copy_engine.h"

enum { CHANNELS = 2, STUCK_BYTES = 48, HANGING_BYTES = 40 };

static const char *const compatible[] = {"rivulet,stuck-copy-model", 0};
static bool is_stuck[CHANNELS]; /* each written by its hart only */
static volatile bool hangs[CHANNELS];

static uint32_t start(const device *device) {
    is_stuck[1] = device->bytes[0] > 4096;
    return CHANNELS;
}

static bool begin(const device *device, uint32_t channel, copy_job *job) {
    (void)device;
    is_stuck[channel] = job->bytes == STUCK_BYTES;
    hangs[channel] = job->bytes == HANGING_BYTES;
    return true;
}

static copy_state step(const device *device, uint32_t channel, copy_job *job) {
    (void)device;
    return is_stuck[channel] ? COPY_BUSY : copy_by_hart(job);
}

static bool stop(const device *device, uint32_t channel, copy_job *job) {
    (void)device;
    (void)job;
    while (hangs[channel])
        continue;
    return !is_stuck[channel];
}

const copy_driver copy_engine = {compatible, start, begin, step, stop};
