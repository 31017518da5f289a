/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface that a porter implements: one table of functions, C ABI, a dozen that every driver
 * has and a few that it may have. Everything above it
 * (mailbox, rings, launches, log, recovery) is common code, hal/device.h; a driver never sees a
 * ring. drivers/null is a skeleton to copy, conformance/ the suite that says whether it is right.
 *
 * Threads: the common code serialises calls for one device, but `ring` and `wait` may run at the
 * same time as each other and as any other call. `wait` returns at once when `close` begins.
 */
#ifndef RIVULET_HAL_H
#define RIVULET_HAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "hal/protocol/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A minor version is raised when a function, field, flag or kind is added at an end, and when the
 * library begins to act on what a driver could only tell before. Any two of one major work
 * together, by what both of them know. 1.1: attach, copies, suspend, all that says so below.
 * 1.2: regions are used; those of a driver of 1.1, which named them as information, are not. 1.3:
 * RVL_DEVICE_FRESH_MEMORY, RVL_DEVICE_CANT_RING. */
#define RVL_HAL_VERSION RVL_VERSION(1, 3)

typedef enum rvl_status {
    RVL_OK = 0,
    RVL_TIMEOUT = 1,     /* nothing happened in the time given                          */
    RVL_DEAD = 2,        /* the device is gone; only reset and close make sense         */
    RVL_UNSUPPORTED = 3, /* the driver lacks this step; the common code goes without    */
    RVL_NOT_FOUND = 4,   /* machine, firmware, tool or device that is not there         */
    RVL_INVALID = 5,     /* an argument, profile or file that makes no sense            */
    RVL_NO_MEMORY = 6,
    RVL_IO = 7,          /* the operating system said no; the log says what             */
    RVL_BAD_VERSION = 8, /* other major version of HAL or protocol                      */
} rvl_status;

/* Configuration, as "key=value" strings; NULL ends the list. Keys every driver gets:
 *   machine=NAME   harts=N   memory=BYTES   data=DIR (where machines and firmware lie)
 * The common code's own (firmware, deadline, coherent, unfenced, clear) come, too. The rest is the
 * driver's own (qemu: qemu=PATH, gdb=PATH, sandbox=off; loopback: vlen=BITS). `open` refuses a key
 * that it doesn't know: RVL_INVALID, and a log line that names the nearest known one. driver=,
 * qemu=, firmware=, gdb= and deadline= come from the environment for all drivers alike. */
typedef struct rvl_config {
    uint32_t size;
    const char *const *entries;
} rvl_config;

enum {                                          /* rvl_device_desc.flags */
       RVL_DEVICE_MAPS = 1 << 0,                /* `map` works                               */
       RVL_DEVICE_COHERENT = 1 << 1,            /* `sync` has nothing to do                  */
       RVL_DEVICE_COUNTS_INSTRUCTIONS = 1 << 2, /* retired instructions repeat exactly      */
       RVL_DEVICE_VIRTUAL_TIME = 1 << 3,        /* device time follows instructions          */
       RVL_DEVICE_ISOLATES = 1 << 4,            /* a kernel's wild store is caught           */
       RVL_DEVICE_BUILT_IN_FIRMWARE = 1 << 5,   /* `load` is not needed, `mailbox` is known  */
       RVL_DEVICE_ATOMICS = 1 << 6,             /* atomics between host and device are exact */
       RVL_DEVICE_SAME_ADDRESSES = 1 << 7,      /* host pointers of `map` equal device addresses;
                                                   set by the common code, which looks at `map` */
       RVL_DEVICE_RUNNING = 1 << 8,      /* since 1.1: the firmware runs and `mailbox` is known. The
                                            common code attaches instead of load and start; only
                                            after a death it calls reset and start, where there are
                                            any */
       RVL_DEVICE_FRESH_MEMORY = 1 << 9, /* since 1.3: memory never holds what another host left.
                                            Without it the firmware clears it first, unless the
                                            setting clear=no says that this takes too long */
       RVL_DEVICE_CANT_RING = 1 << 10, /* since 1.3: `ring` reaches nobody. The firmware is asked to
                                          look for commands by itself, once in a millisecond */
};

/* Memory that the firmware's board doesn't know, in whole pages of 4096 bytes; used since 1.2.
 * Harts need 13 PMP entries to be kept apart there; without, the firmware leaves it alone. Of each
 * kind the first one is used. The log says of each region that can't be why not. */
typedef enum rvl_region_kind {
    RVL_REGION_HEAP = 1,       /* buffers that the firmware's heap has no room for. It lies within
                                  memory_base and memory_bytes, which may span a hole           */
    RVL_REGION_SCRATCHPAD = 2, /* fast memory: local memory is the harts' equal shares of it,
                                  CL_DEVICE_LOCAL_MEM_SIZE one share. The host never looks there */
} rvl_region_kind;

typedef struct rvl_region {
    uint32_t kind; /* rvl_region_kind; 0 ends the list */
    uint32_t reserved;
    uint64_t base;
    uint64_t bytes;
} rvl_region;

#define RVL_MAX_REGIONS 4

/* A device before it runs; the common code compares it with the firmware's hello later. */
typedef struct rvl_device_desc {
    uint32_t size;
    uint32_t flags;
    char name[64];  /* of the machine: "rv64-v512"                    */
    char board[64]; /* folder under boards/: "virt"                   */
    char isa[512];  /* "rv64imafdcv_zfh_…", or "host" for kernels in the host's own ISA */
    uint32_t harts;
    uint32_t xlen;
    uint32_t vlen; /* bits, 0 without vector unit                    */
    uint32_t reserved;
    uint64_t memory_base; /* what map, read, write and sync accept  */
    uint64_t memory_bytes;
    uint64_t mailbox; /* address, when the firmware is built in or runs */

    /* Since 1.1; 0 and "" say nothing. */
    char vendor[64];           /* CL_DEVICE_VENDOR                                              */
    uint32_t vendor_id;        /* CL_DEVICE_VENDOR_ID: PCI's, or one that Khronos gave          */
    uint32_t clock_mhz;        /* CL_DEVICE_MAX_CLOCK_FREQUENCY                                 */
    uint32_t cache_block;      /* of the host's cache, 32 … 256: `sync` works on whole ones;
                                  0: RVL_CACHE_BLOCK                                          */
    uint32_t copy_alignment;   /* of address and size for copy_begin; 0: 1                    */
    uint64_t copy_least_bytes; /* fewer are not worth copy_begin                              */
    rvl_region regions[RVL_MAX_REGIONS];
} rvl_device_desc;

/* The length of a description from a driver of HAL 1.0. */
#define RVL_DEVICE_DESC_BYTES_1_0 offsetof(rvl_device_desc, vendor)

/* For `enumerate` and `describe`: puts a description into the caller's array, whose elements may be
 * of another version, shorter or longer: devices[0].size says how long on the way in. Drivers that
 * assign their own struct instead write past the end of an older library's. */
static inline void rvl_put_description(rvl_device_desc *devices, size_t index,
                                       const rvl_device_desc *own) {
    const uint32_t bytes = devices->size;
    char *const to = (char *)devices + index * bytes;
    const size_t known = bytes < sizeof *own ? bytes : sizeof *own;
    memset(to, 0, bytes);
    memcpy(to, own, known);
    memcpy(to + offsetof(rvl_device_desc, size), &bytes, sizeof bytes);
}

/* Functions of the common code, for drivers; valid until `close` returns. `log`: level 0 error,
 * 1 warning, 2 information, 3 debug; any thread; the text is copied. `died` is called at most once
 * per start, on any thread, with no lock of the driver held; not from within read, write or sync,
 * which return RVL_DEAD instead. */
typedef struct rvl_host {
    uint32_t size;
    void *user;
    void (*log)(void *user, int level, const char *text);
    void (*died)(void *user, const char *reason);
} rvl_host;

typedef enum rvl_sync_direction {
    RVL_SYNC_TO_DEVICE = 1,   /* what the host wrote becomes visible to the harts: clean     */
    RVL_SYNC_FROM_DEVICE = 2, /* what the harts wrote becomes visible to the host: invalidate */
} rvl_sync_direction;

typedef struct rvl_copy {
    uint32_t size;
    uint32_t direction; /* rvl_sync_direction: to or from the device */
    uint64_t address;   /* of the device                             */
    void *host;
    uint64_t bytes;
} rvl_copy;

typedef struct rvl_device rvl_device; /* the driver's own */

/*  The calls of a device's life, in their order; after a death or at a stop from `reset` on:
 *
 *   enumerate, open, describe, map ─► load ─► write (boot block) ─► start ─► wait, ring, … ─► close
 *                                      ▲                                        │
 *                                      └──────────────── reset ◄────────────────┘
 */

/* A later field is absent when `size` says so: old drivers keep working with new runtimes. */
typedef struct rvl_driver {
    uint32_t hal_version; /* RVL_HAL_VERSION it was built with */
    uint32_t size;        /* sizeof(rvl_driver) at that time   */
    const char *name;     /* "qemu", "loopback", "gdb", …      */

    /* Finding and opening. `enumerate` writes at most `capacity` descriptions
     * (rvl_put_description) and the number of devices there are; it starts nothing. `open` takes a
     * description that it gave: by it a driver of several devices knows which one. */
    rvl_status (*enumerate)(const rvl_config *, const rvl_host *, rvl_device_desc *,
                            size_t capacity, size_t *count);
    rvl_status (*open)(const rvl_config *, const rvl_device_desc *, const rvl_host *,
                       rvl_device **);
    void (*close)(rvl_device *);

    /* Life cycle. `load`: an ELF file, before `start`; NULL or RVL_UNSUPPORTED when the firmware is
     * in flash and the description has its mailbox. `start` lets the harts run. `reset` brings the
     * device back to before `load`, memory contents undefined, driver open. With
     * RVL_DEVICE_RUNNING `start` and `reset` may be RVL_UNSUPPORTED, too. */
    rvl_status (*load)(rvl_device *, const void *elf, size_t bytes);
    rvl_status (*start)(rvl_device *);
    rvl_status (*reset)(rvl_device *);

    /* Memory, by device address; all of it valid from `open` on. `map` is called once, for all of
     * memory_bytes, with holes that nobody will touch; its pointer stays valid until `close`, over
     * resets. Drivers that always map need no `read` and `write`. Reads and writes take effect in
     * the order of the calls; an aligned 4-byte word is read and written in one piece. `sync` works
     * on whole cache blocks. Bounds were checked by the caller. */
    rvl_status (*map)(rvl_device *, uint64_t address, size_t bytes, void **host);
    rvl_status (*read)(rvl_device *, uint64_t address, void *, size_t bytes);
    rvl_status (*write)(rvl_device *, uint64_t address, const void *, size_t bytes);
    rvl_status (*sync)(rvl_device *, uint64_t address, size_t bytes, rvl_sync_direction);

    /* Doorbell. `ring` never blocks; rings may merge, none is lost; it orders earlier stores
     * (null.c). `wait` returns RVL_OK after a bell from the device (also one that came before the
     * call and was not waited for), RVL_TIMEOUT, or RVL_DEAD. Spurious RVL_OK are allowed. `wake`
     * makes a `wait` under way, or else the next one, return RVL_OK. */
    rvl_status (*ring)(rvl_device *, uint64_t hart_mask);
    rvl_status (*wait)(rvl_device *, uint64_t timeout_ns);
    rvl_status (*wake)(rvl_device *);

    /* Optional: what is known better once the device is open (an address that the operating
     * system chose, say). Fields that stay as `enumerate` gave them are left alone. */
    rvl_status (*describe)(rvl_device *, rvl_device_desc *);

    /* All optional, since 1.1.
     *
     * Large copies by the device's DMA engine. `copy_begin` starts one between host memory, which
     * stays valid and untouched until the copy has ended, and the device, and gives it a ticket;
     * RVL_UNSUPPORTED: this one can't be done so, and is read or written instead. Caches are the
     * driver's affair. `copy_wait` returns RVL_OK once the copy has ended well, RVL_TIMEOUT
     * before, else why it failed; after RVL_TIMEOUT it is called again. Several copies may be
     * under way, in no order; both may run at the same time as any other call. */
    rvl_status (*copy_begin)(rvl_device *, const rvl_copy *, uint64_t *ticket);
    rvl_status (*copy_wait)(rvl_device *, uint64_t ticket, uint64_t timeout_ns);

    /* Saves power: all harts stop where they are, memory and registers keep their contents, and
     * after `resume` all goes on. The common code rings and looks for nothing in between. */
    rvl_status (*suspend)(rvl_device *);
    rvl_status (*resume)(rvl_device *);
} rvl_driver;

/* A driver is a shared object, drivers/NAME.so in the folder of Rivulet's data (lib/rivulet, or
 * RIVULET_DATA), that exports this function: the table of the driver called so, or NULL. One file
 * may hold several drivers, under links with their names. It is loaded when a device is looked for,
 * on any thread, and stays. */
__attribute__((visibility("default"))) const rvl_driver *rvl_driver_named(const char *name);

#ifdef __cplusplus
}
#endif
#endif
