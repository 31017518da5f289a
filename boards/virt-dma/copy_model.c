/* SPDX-License-Identifier: Apache-2.0
 *
 * A model of a copy engine, for tests and to copy from. A real driver writes the job into the
 * channel's registers in `begin`, reads its status in `step`, and resets the channel in `stop`.
 * Here a hart copies, a piece at each look, and a piece for each other channel that has a job: so
 * jobs advance while their kernels do something else, as with hardware, and go on for ever if the
 * firmware forgets to stop them. */
#include "device-firmware/core/atomic.h"
#include "device-firmware/drivers/copy_engine.h"

enum { CHANNELS = 2 }; /* fewer than harts, so that some of them copy by themselves */

static const char *const compatible[] = {"rivulet,copy-model", 0};

static struct {
    uint32_t is_taken; /* atomic: guards the rest */
    copy_job *job;     /* NULL: none, or it has ended */
} channels[CHANNELS];

static bool try_to_take(uint32_t channel) {
    return !__atomic_exchange_n(&channels[channel].is_taken, 1, __ATOMIC_ACQUIRE);
}
static void take(uint32_t channel) {
    while (!try_to_take(channel))
        ;
}
static void give_back(uint32_t channel) { store_release(&channels[channel].is_taken, 0); }

/* For who has taken the channel. */
static copy_state advance(uint32_t channel) {
    copy_job *job = channels[channel].job;
    const copy_state state = job ? copy_by_hart(job) : COPY_DONE;
    if (state != COPY_BUSY)
        channels[channel].job = 0;
    return state;
}

static uint32_t start(const device *device) {
    (void)device;
    return CHANNELS;
}

/* As an engine that moves words of 4 bytes. */
static bool begin(const device *device, uint32_t channel, copy_job *job) {
    (void)device;
    if (((job->to | job->from | job->bytes | job->to_pitch | job->from_pitch) & 3) != 0)
        return false;
    take(channel);
    channels[channel].job = job;
    give_back(channel);
    return true;
}

static copy_state step(const device *device, uint32_t channel, copy_job *job) {
    (void)device;
    (void)job;
    for (uint32_t other = 0; other < CHANNELS; ++other)
        if (other != channel && try_to_take(other)) {
            (void)advance(other);
            give_back(other);
        }
    take(channel);
    const copy_state state = advance(channel);
    give_back(channel);
    return state;
}

/* The hart that has taken the channel may be in the middle of a piece. */
static bool stop(const device *device, uint32_t channel, copy_job *job) {
    (void)device;
    (void)job;
    if (!try_to_take(channel))
        return false;
    channels[channel].job = 0;
    give_back(channel);
    return true;
}

const copy_driver copy_engine = {compatible, start, begin, step, stop};
