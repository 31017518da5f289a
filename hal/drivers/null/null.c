/* SPDX-License-Identifier: Apache-2.0
 *
 * The null driver: every function there is, none of them with hardware behind it. Copy this file,
 * give the table your driver's name, fill in what the comments say, and build it anywhere:
 *
 *     cc -shared -fPIC -I PREFIX/include/rivulet yours.c -o yours.so
 *     RIVULET_DRIVER=./yours.so rivulet hal-test
 *
 * Its memory is ordinary memory that no hart ever looks at. So it opens, maps, reads and writes,
 * and refuses `start`, since nothing would ever answer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/hal.h"

struct rvl_device {
    const rvl_host *host; /* valid until close returns */
    uint64_t base;
    uint64_t bytes;
    unsigned char *memory;
};

enum { NULL_BYTES = 1 << 20 };

static void report(const rvl_host *host, int level, const char *text) {
    if (host->log != NULL)
        host->log(host->user, level, text);
}

/* Find the devices there are, without touching them: look for /dev nodes, probe adapters, device
 * trees. Everything that can be known without starting the firmware stands here; what the
 * firmware's hello says later must agree (harts, xlen, vlen). */
static rvl_status null_enumerate(const rvl_config *config, const rvl_host *host,
                                 rvl_device_desc *devices, size_t capacity, size_t *count) {
    (void)config; /* "key=value" strings: your own keys, and machine, harts, memory, data */
    (void)host;
    *count = 1; /* how many there are, even when capacity is less */
    if (capacity == 0)
        return RVL_OK;
    const rvl_device_desc device = {
        /* RVL_DEVICE_COHERENT only if the hardware keeps host caches and device memory together;
         * RVL_DEVICE_ISOLATES if the harts have PMP; RVL_DEVICE_RUNNING if somebody else starts
         * the firmware. */
        .flags = RVL_DEVICE_MAPS | RVL_DEVICE_COHERENT,
        .name = "null",
        .board = "template", /* names the firmware file: BOARD-rvXLEN.elf */
        .isa = "rv64imafdcv",
        .harts = 1,
        .xlen = 64,
        .vlen = 128,
        .memory_base = 0x80000000u,
        .memory_bytes = NULL_BYTES,
        .vendor = "nobody",
        .vendor_id = 0x10000, /* or your PCI vendor id */
        .clock_mhz = 1,
        .cache_block = 64,
        .copy_alignment = 1,
        .copy_least_bytes = 1 << 16,
        /* .regions only for memory that is there, and that the board's tree doesn't have: the
         * firmware writes to it. */
    };
    rvl_put_description(devices, 0, &device);
    return RVL_OK;
}

/* Keys of rvl_config that this driver takes: your own, and those that all drivers get. */
static const char *const known_keys[] = {"machine",  "harts",    "memory", "unfenced",
                                         "coherent", "deadline", "data",   "driver",
                                         "qemu",     "firmware", "gdb"};

/* A setting with no effect is a mistake of the user's, who should hear of it. */
static int is_known(const char *entry) {
    for (size_t i = 0; i < sizeof known_keys / sizeof known_keys[0]; ++i) {
        const size_t length = strlen(known_keys[i]);
        if (!strncmp(entry, known_keys[i], length) && entry[length] == '=')
            return 1;
    }
    return 0;
}

/* Get hold of the device: open nodes, map registers, attach the probe. Harts need not run yet,
 * but memory must be readable and writable from now on. On failure log (level 0) a sentence that
 * says what to do; the user sees it. */
static rvl_status null_open(const rvl_config *config, const rvl_device_desc *description,
                            const rvl_host *host, rvl_device **opened) {
    for (const char *const *entry = config->entries; entry != NULL && *entry != NULL; ++entry)
        if (!is_known(*entry)) {
            char text[256];
            snprintf(text, sizeof text,
                     "the null driver has no setting %s; it takes harts and memory", *entry);
            report(host, 0, text);
            return RVL_INVALID;
        }
    rvl_device *device = calloc(1, sizeof *device);
    if (device != NULL)
        device->memory = calloc(1, description->memory_bytes);
    if (device == NULL || device->memory == NULL) {
        free(device);
        report(host, 0, "the null driver has no memory for its device");
        return RVL_NO_MEMORY;
    }
    device->host = host;
    device->base = description->memory_base;
    device->bytes = description->memory_bytes;
    *opened = device;
    return RVL_OK;
}

/* Stop the harts, let go of everything. A `wait` under way returns first; no call into `host`
 * after this returns. */
static void null_close(rvl_device *device) {
    free(device->memory);
    free(device);
}

/* Bring the ELF file's PT_LOAD segments to their physical addresses and zero what p_memsz has
 * more than p_filesz; remember e_entry. RVL_UNSUPPORTED if the firmware is in flash. */
static rvl_status null_load(rvl_device *device, const void *elf, size_t bytes) {
    (void)device, (void)elf, (void)bytes;
    return RVL_OK;
}

/* Let every hart run from the entry point, as after power-on. The common code wrote the mailbox's
 * boot block before, and looks for the hello itself afterwards. */
static rvl_status null_start(rvl_device *device) {
    report(device->host, 0, "the null driver has no harts to start; it is a skeleton to copy");
    return RVL_UNSUPPORTED;
}

/* Pull the reset line, or start a new process: harts stopped, device as after `open`. Called
 * after a death and at every orderly stop. Memory contents may be lost. */
static rvl_status null_reset(rvl_device *device) {
    memset(device->memory, 0, device->bytes);
    return RVL_OK;
}

/* A pointer through which the host sees device memory; the same address always gives the same
 * pointer. Leave the table's entry NULL, and RVL_DEVICE_MAPS out, if there is no such thing. */
static rvl_status null_map(rvl_device *device, uint64_t address, size_t bytes, void **host) {
    (void)bytes;
    *host = device->memory + (address - device->base);
    return RVL_OK;
}

/* Copies, for devices that can't map and for tools. In the order of the calls; an aligned word of
 * 4 bytes in one piece, since mailbox indices are read and written this way. */
static rvl_status null_read(rvl_device *device, uint64_t address, void *to, size_t bytes) {
    memcpy(to, device->memory + (address - device->base), bytes);
    return RVL_OK;
}

static rvl_status null_write(rvl_device *device, uint64_t address, const void *from, size_t bytes) {
    memcpy(device->memory + (address - device->base), from, bytes);
    return RVL_OK;
}

/* Cache maintenance on the host's side, for what goes through `map`: clean towards the device,
 * invalidate before reading what it wrote. The only place where it happens. */
static rvl_status null_sync(rvl_device *device, uint64_t address, size_t bytes,
                            rvl_sync_direction direction) {
    (void)device, (void)address, (void)bytes, (void)direction;
    return RVL_OK;
}

/* Interrupt the harts of the mask; bit 0 is the hart that serves the mailbox. A device whose
 * firmware polls needs no interrupt. What the caller has written to the device's memory must be
 * visible to the harts that wake: before a store to a doorbell's register goes a fence of memory
 * against I/O (on RISC-V `fence w, o`); a system call has it. */
static rvl_status null_ring(rvl_device *device, uint64_t hart_mask) {
    (void)device, (void)hart_mask;
    return RVL_OK;
}

/* Sleep until the device rings, it dies (RVL_DEAD, after calling host->died), `wake` is called, or
 * the time is over. A bell that came before the call counts. */
static rvl_status null_wait(rvl_device *device, uint64_t timeout_ns) {
    (void)device, (void)timeout_ns;
    return RVL_TIMEOUT;
}

static rvl_status null_wake(rvl_device *device) {
    (void)device;
    return RVL_OK;
}

/* Optional. Give the engine a descriptor and a number by which its interrupt is known again. What
 * an engine without scatter and gather, or behind an IOMMU, can't reach is RVL_UNSUPPORTED; leave
 * all of it NULL if there is no engine. Here the copy is over before it begins. */
static rvl_status null_copy_begin(rvl_device *device, const rvl_copy *copy, uint64_t *ticket) {
    unsigned char *bytes = device->memory + (copy->address - device->base);
    if (copy->direction == RVL_SYNC_TO_DEVICE)
        memcpy(bytes, copy->host, copy->bytes);
    else
        memcpy(copy->host, bytes, copy->bytes);
    *ticket = 1;
    return RVL_OK;
}

static rvl_status null_copy_wait(rvl_device *device, uint64_t ticket, uint64_t timeout_ns) {
    (void)device, (void)ticket, (void)timeout_ns;
    return RVL_OK;
}

/* Optional. Stop the harts' clock, put memory into self-refresh; or leave both NULL. */
static rvl_status null_suspend(rvl_device *device) {
    (void)device;
    return RVL_OK;
}

static rvl_status null_resume(rvl_device *device) {
    (void)device;
    return RVL_OK;
}

static const rvl_driver null_driver = {
    .hal_version = RVL_HAL_VERSION,
    .size = sizeof(rvl_driver),
    .name = "null",
    .enumerate = null_enumerate,
    .open = null_open,
    .close = null_close,
    .load = null_load,
    .start = null_start,
    .reset = null_reset,
    .map = null_map,
    .read = null_read,
    .write = null_write,
    .sync = null_sync,
    .ring = null_ring,
    .wait = null_wait,
    .wake = null_wake,
    .describe = NULL, /* nothing is known better once the device is open */
    .copy_begin = null_copy_begin,
    .copy_wait = null_copy_wait,
    .suspend = null_suspend,
    .resume = null_resume,
};

const rvl_driver *rvl_driver_named(const char *name) {
    return strcmp(name, null_driver.name) == 0 ? &null_driver : NULL;
}
