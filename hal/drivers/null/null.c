/* SPDX-License-Identifier: Apache-2.0
 *
 * The null driver: all driver functions, without any hardware. Copy this file,
 * give the table your driver's name, implement what the comments say, and build it anywhere:
 *
 *     cc -shared -fPIC -I PREFIX/include/rivulet yours.c -o yours.so
 *     RIVULET_DRIVER=./yours.so rivulet hal-test
 *
 * Its memory is ordinary memory that no hart accesses. So it opens, maps, reads and writes,
 * but rejects `start`, because nothing would ever answer.
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

/* Find devices without accessing them: look for /dev nodes, probe adapters, device trees. Return
 * everything that can be known without starting the firmware; the firmware's hello must agree
 * with it later (harts, xlen, vlen). */
static rvl_status null_enumerate(const rvl_config *config, const rvl_host *host,
                                 rvl_device_desc *devices, size_t capacity, size_t *count) {
    (void)config; /* "key=value" strings: your own keys, and machine, harts, memory, data */
    (void)host;
    *count = 1; /* the number of devices, even if capacity is less */
    if (capacity == 0)
        return RVL_OK;
    const rvl_device_desc device = {
        /* RVL_DEVICE_COHERENT only if the hardware keeps host caches and device memory coherent;
         * RVL_DEVICE_ISOLATES if the harts have PMP; RVL_DEVICE_RUNNING if the firmware is
         * started by others. */
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
        /* .regions only for memory that exists and is not in the board's tree: the firmware
         * writes to it. */
    };
    rvl_put_description(devices, 0, &device);
    return RVL_OK;
}

/* Keys of rvl_config that this driver accepts: its own, and those that all drivers get. */
static const char *const known_keys[] = {"machine",  "harts",    "memory", "unfenced",
                                         "coherent", "deadline", "data",   "driver",
                                         "qemu",     "firmware", "gdb"};

/* Reject unknown settings, so that the user learns of a mistake. */
static int is_known(const char *entry) {
    for (size_t i = 0; i < sizeof known_keys / sizeof known_keys[0]; ++i) {
        const size_t length = strlen(known_keys[i]);
        if (!strncmp(entry, known_keys[i], length) && entry[length] == '=')
            return 1;
    }
    return 0;
}

/* Acquire the device: open nodes, map registers, attach the probe. Harts need not run yet, but
 * memory must be readable and writable from now on. On failure, log (level 0) a message that
 * tells the user what to do. */
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
        report(host, 0, "not enough memory for the null device");
        return RVL_NO_MEMORY;
    }
    device->host = host;
    device->base = description->memory_base;
    device->bytes = description->memory_bytes;
    *opened = device;
    return RVL_OK;
}

/* Stop the harts and release everything. A concurrent `wait` returns first; `host` must not be
 * called after this returns. */
static void null_close(rvl_device *device) {
    free(device->memory);
    free(device);
}

/* Write the ELF file's PT_LOAD segments to their physical addresses, zero the part of p_memsz
 * beyond p_filesz, and remember e_entry. RVL_UNSUPPORTED if the firmware is in flash. */
static rvl_status null_load(rvl_device *device, const void *elf, size_t bytes) {
    (void)device, (void)elf, (void)bytes;
    return RVL_OK;
}

/* Let every hart run from the entry point, as after power-on. The common code has already
 * written the mailbox's boot block, and waits for the hello itself. */
static rvl_status null_start(rvl_device *device) {
    report(device->host, 0, "the null driver has no harts to start; it is a skeleton to copy");
    return RVL_UNSUPPORTED;
}

/* Assert the reset line, or start a new process: harts stopped, device as after `open`. Called
 * after a death and at every orderly stop. Memory contents may be lost. */
static rvl_status null_reset(rvl_device *device) {
    memset(device->memory, 0, device->bytes);
    return RVL_OK;
}

/* A pointer through which the host accesses device memory; always the same for an address. Leave
 * the table's entry NULL, and RVL_DEVICE_MAPS out, if the memory can't be mapped. */
static rvl_status null_map(rvl_device *device, uint64_t address, size_t bytes, void **host) {
    (void)bytes;
    *host = device->memory + (address - device->base);
    return RVL_OK;
}

/* Copies, for devices that can't map and for tools. In call order; an aligned 4-byte word is
 * accessed atomically, because mailbox indices are read and written this way. */
static rvl_status null_read(rvl_device *device, uint64_t address, void *to, size_t bytes) {
    memcpy(to, device->memory + (address - device->base), bytes);
    return RVL_OK;
}

static rvl_status null_write(rvl_device *device, uint64_t address, const void *from, size_t bytes) {
    memcpy(device->memory + (address - device->base), from, bytes);
    return RVL_OK;
}

/* Host cache maintenance for what is accessed through `map`: clean towards the device,
 * invalidate before reading what it wrote. The only place where this is done. */
static rvl_status null_sync(rvl_device *device, uint64_t address, size_t bytes,
                            rvl_sync_direction direction) {
    (void)device, (void)address, (void)bytes, (void)direction;
    return RVL_OK;
}

/* Interrupt the harts of the mask; bit 0 is the hart that serves the mailbox. A device whose
 * firmware polls needs no interrupt. The woken harts must see what the caller has written to
 * device memory: a store to a doorbell register needs a fence between memory and I/O before it
 * (on RISC-V `fence w, o`); a system call includes one. */
static rvl_status null_ring(rvl_device *device, uint64_t hart_mask) {
    (void)device, (void)hart_mask;
    return RVL_OK;
}

/* Sleep until the device rings, it dies (RVL_DEAD, after calling host->died), `wake` is called,
 * or the time is over. A bell that came before the call counts. */
static rvl_status null_wait(rvl_device *device, uint64_t timeout_ns) {
    (void)device, (void)timeout_ns;
    return RVL_TIMEOUT;
}

static rvl_status null_wake(rvl_device *device) {
    (void)device;
    return RVL_OK;
}

/* Optional. Give the engine a descriptor, and a number that identifies its interrupt. Return
 * RVL_UNSUPPORTED for what an engine without scatter/gather or behind an IOMMU can't reach;
 * leave all of it NULL if there is no engine. Here the copy is done at once. */
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

/* Optional: stop the harts' clock and put memory into self-refresh; or leave both NULL. */
static rvl_status null_suspend(rvl_device *device) {
    (void)device;
    return RVL_OK;
}

static rvl_status null_resume(rvl_device *device) {
    (void)device;
    return RVL_OK;
}

/* Optional: the built-in kernels of fixed-function units beside the harts. The firmware needs a
 * driver for each unit, with the same id: device-firmware/units/model.c is one to copy. Here a
 * resizer reads a picture and writes another one, of the NDRange's size. */
static const rvl_built_in_argument resize_arguments[] = {
    {.name = "source", .type = "uchar*", .kind = RVL_BUILT_IN_CONSTANT},
    {.name = "source_pitch", .type = "uint", .kind = RVL_BUILT_IN_VALUE, .bytes = 4},
    {.name = "source_size", .type = "ushort2", .kind = RVL_BUILT_IN_VALUE, .bytes = 4},
    {.name = "destination", .type = "uchar*", .kind = RVL_BUILT_IN_GLOBAL},
    {.name = "destination_pitch", .type = "uint", .kind = RVL_BUILT_IN_VALUE, .bytes = 4},
};
static const rvl_built_in_kernel resize = {
    .size = sizeof(rvl_built_in_kernel),
    .version = 1 << 22, /* 1.0.0 */
    .name = "null.resize",
    .unit = 0x4c4c554e, /* "NULL" */
    .function = 0,
    .argument_count = sizeof resize_arguments / sizeof *resize_arguments,
    .arguments = resize_arguments,
    .max_global_size = {4096, 4096, 1},
};

static const rvl_built_in_kernel *const *null_built_in_kernels(rvl_device *device) {
    static const rvl_built_in_kernel *const kernels[] = {&resize, NULL};
    (void)device;
    return kernels;
}

/* Reads the chip's sensors: registers, or files of the kernel's hwmon and cpufreq. What can't be
 * read stays as it is. */
static rvl_status null_conditions(rvl_device *device, rvl_conditions *conditions) {
    (void)device;
    conditions->clock_mhz = 1;
    conditions->millidegrees = 21500;
    return RVL_OK;
}

/* Programs the chip's clock generator, or asks the kernel (cpufreq, devfreq) or the power manager.
 */
static rvl_status null_set_clock(rvl_device *device, uint32_t mhz) {
    (void)device;
    return mhz == 1 ? RVL_OK : RVL_INVALID; /* the one clock that it has */
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
    .describe = NULL, /* nothing more is known once the device is open */
    .copy_begin = null_copy_begin,
    .copy_wait = null_copy_wait,
    .suspend = null_suspend,
    .resume = null_resume,
    /* dma-bufs: where a kernel driver makes them of the device's memory, or an IOMMU puts others'
     * memory into the device's map. They never copy; without such hardware they stay NULL. */
    .export_memory = NULL,
    .export_ended = NULL,
    .import_memory = NULL,
    .end_import = NULL,
    .memory_file = NULL,
    .built_in_kernels = null_built_in_kernels,
    .conditions = null_conditions,
    .set_clock = null_set_clock,
};

const rvl_driver *rvl_driver_named(const char *name) {
    return strcmp(name, null_driver.name) == 0 ? &null_driver : NULL;
}
