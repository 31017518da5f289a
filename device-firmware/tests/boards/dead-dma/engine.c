/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy engine that can be stopped at boot. Later its registers trap. */
#include "device-firmware/drivers/copy_engine.h"
#include "device-firmware/drivers/mmio.h"

enum { CHANNELS = 2, STOPS_AT_BOOT = CHANNELS };

static const char *const compatible[] = {"rivulet,dead-copy-model", 0};

static uint32_t start(const device *device) {
    (void)device;
    return CHANNELS;
}

static bool begin(const device *device, uint32_t channel, copy_job *job) {
    (void)device;
    (void)channel;
    (void)job;
    return false;
}

static copy_state step(const device *device, uint32_t channel, copy_job *job) {
    (void)device;
    (void)channel;
    return copy_by_hart(job);
}

static bool stop(const device *device, uint32_t channel, copy_job *job) {
    (void)channel;
    (void)job;
    static uint32_t stops;
    return ++stops <= STOPS_AT_BOOT || mmio_read32(device->base[0]) == 0;
}

const copy_driver copy_engine = {compatible, start, begin, step, stop};
