/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver of HAL 1.0 with firmware of protocol 1.1 in it, on threads: what driver_1_0.so was built
 * from, with the sources of the day on which HAL 1.0 was left behind. It must go on working
 * unchanged, as the drivers in the field.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "device-firmware/host/firmware_host.h"
#include "hal/hal.h"

enum { HARTS = 2, BYTES = 256 << 20 };

struct rvl_device {
    unsigned char *memory;
    rvl_firmware_host *firmware;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int rung;
};

static void bell(void *device_pointer) {
    rvl_device *device = device_pointer;
    pthread_mutex_lock(&device->mutex);
    device->rung = 1;
    pthread_cond_broadcast(&device->changed);
    pthread_mutex_unlock(&device->mutex);
}

static rvl_status frozen_enumerate(const rvl_config *config, const rvl_host *host,
                                   rvl_device_desc *devices, size_t capacity, size_t *count) {
    (void)config, (void)host;
    *count = 1;
    if (capacity == 0)
        return RVL_OK;
    memset(&devices[0], 0, sizeof devices[0]); /* as drivers of 1.0 did */
    devices[0].size = sizeof devices[0];
    devices[0].flags = RVL_DEVICE_MAPS | RVL_DEVICE_COHERENT | RVL_DEVICE_BUILT_IN_FIRMWARE;
    strcpy(devices[0].name, "frozen");
    strcpy(devices[0].board, "frozen");
    strcpy(devices[0].isa, "host");
    devices[0].harts = HARTS;
    devices[0].xlen = 64;
    devices[0].memory_bytes = BYTES;
    return RVL_OK;
}

static rvl_status frozen_open(const rvl_config *config, const rvl_device_desc *description,
                              const rvl_host *host, rvl_device **opened) {
    (void)description, (void)host;
    for (const char *const *entry = config->entries; entry && *entry; ++entry)
        if (strncmp(*entry, "device=", 7) == 0)
            return RVL_INVALID; /* a key that 1.0 didn't have */
    rvl_device *device = calloc(1, sizeof *device);
    if (!device)
        return RVL_NO_MEMORY;
    device->memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (device->memory == MAP_FAILED) {
        free(device);
        return RVL_NO_MEMORY;
    }
    pthread_mutex_init(&device->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&device->changed, &attributes);
    *opened = device;
    return RVL_OK;
}

static void stop(rvl_device *device) {
    if (device->firmware)
        rvl_firmware_host_stop(device->firmware);
    device->firmware = NULL;
}

static void frozen_close(rvl_device *device) {
    stop(device);
    munmap(device->memory, BYTES);
    free(device);
}

static rvl_status frozen_load(rvl_device *device, const void *elf, size_t bytes) {
    (void)device, (void)elf, (void)bytes;
    return RVL_UNSUPPORTED;
}

static rvl_status frozen_start(rvl_device *device) {
    const rvl_firmware_host_config config = {
        .memory = device->memory,
        .bytes = BYTES,
        .harts = HARTS,
        .isa = "host",
        .user = device,
        .ring_host = bell,
    };
    device->firmware = rvl_firmware_host_start(&config);
    return device->firmware ? RVL_OK : RVL_NO_MEMORY;
}

static rvl_status frozen_reset(rvl_device *device) {
    stop(device);
    madvise(device->memory, BYTES, MADV_DONTNEED);
    return RVL_OK;
}

static unsigned char *at(rvl_device *device, uint64_t address) {
    return device->memory + (address - (uintptr_t)device->memory);
}

static rvl_status frozen_map(rvl_device *device, uint64_t address, size_t bytes, void **host) {
    (void)bytes;
    *host = at(device, address);
    return RVL_OK;
}

static rvl_status frozen_read(rvl_device *device, uint64_t address, void *to, size_t bytes) {
    memcpy(to, at(device, address), bytes);
    return RVL_OK;
}

static rvl_status frozen_write(rvl_device *device, uint64_t address, const void *from,
                               size_t bytes) {
    memcpy(at(device, address), from, bytes);
    return RVL_OK;
}

static rvl_status frozen_sync(rvl_device *device, uint64_t address, size_t bytes,
                              rvl_sync_direction direction) {
    (void)device, (void)address, (void)bytes, (void)direction;
    return RVL_OK;
}

static rvl_status frozen_ring(rvl_device *device, uint64_t hart_mask) {
    rvl_firmware_host_ring(device->firmware, hart_mask);
    return RVL_OK;
}

static rvl_status frozen_wait(rvl_device *device, uint64_t timeout_ns) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    const uint64_t longest = 3600000000000u;
    const uint64_t ns = (uint64_t)end.tv_nsec + (timeout_ns < longest ? timeout_ns : longest);
    end.tv_sec += (time_t)(ns / 1000000000u);
    end.tv_nsec = (long)(ns % 1000000000u);
    pthread_mutex_lock(&device->mutex);
    while (!device->rung && pthread_cond_timedwait(&device->changed, &device->mutex, &end) == 0)
        ;
    const int rung = device->rung;
    device->rung = 0;
    pthread_mutex_unlock(&device->mutex);
    return rung ? RVL_OK : RVL_TIMEOUT;
}

static rvl_status frozen_wake(rvl_device *device) {
    bell(device);
    return RVL_OK;
}

static rvl_status frozen_describe(rvl_device *device, rvl_device_desc *description) {
    description->memory_base = description->mailbox = (uintptr_t)device->memory;
    return RVL_OK;
}

static const rvl_driver driver = {
    .hal_version = RVL_HAL_VERSION,
    .size = sizeof(rvl_driver),
    .name = "frozen",
    .enumerate = frozen_enumerate,
    .open = frozen_open,
    .close = frozen_close,
    .load = frozen_load,
    .start = frozen_start,
    .reset = frozen_reset,
    .map = frozen_map,
    .read = frozen_read,
    .write = frozen_write,
    .sync = frozen_sync,
    .ring = frozen_ring,
    .wait = frozen_wait,
    .wake = frozen_wake,
    .describe = frozen_describe,
};

const rvl_driver *rvl_driver_named(const char *name) {
    (void)name; /* whatever its file is called */
    return &driver;
}
