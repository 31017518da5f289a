/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface that a driver implements: one table of functions with C ABI, a dozen mandatory
 * and a few optional. Everything above it
 * (mailbox, rings, launches, log, recovery) is common code, hal/device.h; a driver never sees a
 * ring. drivers/null is a skeleton to copy, conformance/ the suite that checks a driver.
 *
 * Threads: the common code serialises the calls for one device, but `ring` and `wait` may run
 * concurrently with each other and with any other call. `wait` returns at once when `close` begins.
 */
#ifndef RIVULET_HAL_H
#define RIVULET_HAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h" /* rvl_status: what the functions below return */
#include "hal/protocol/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The minor version increases when something is appended (a function, field, flag or enum
 * value), or when the library starts to act on information that drivers could already report.
 * Versions with the same major work together, using what both know. 1.1: attach, copies,
 * suspend, and all fields marked so below. 1.2: regions are used; those of a 1.1 driver, which
 * reported them as information only, are not. 1.3: RVL_DEVICE_FRESH_MEMORY,
 * RVL_DEVICE_CANT_RING. 1.4: rvl_device_desc.core, dma-bufs. 1.5: devices that several hosts share.
 * 1.6: built-in kernels. 1.7: PCI functions, conditions. 1.8: local memory. 1.9: set_clock. */
#define RVL_HAL_VERSION RVL_VERSION(1, 9)

/* Configuration, as "key=value" strings; NULL ends the list. Keys every driver gets:
 *   machine=NAME   harts=N   memory=BYTES   data=DIR (contains machines/ and firmware/)
 * The common code's own keys (firmware, deadline, coherent, unfenced, clear, core,
 * preempt-us) are passed, too.
 * The rest is driver-specific (qemu: qemu=PATH, gdb=PATH, sandbox=off; loopback: vlen=BITS). `open`
 * rejects a key it doesn't know with RVL_INVALID and a log line that suggests the nearest known
 * one. driver=, qemu=, firmware=, gdb= and deadline= are set from the environment for all drivers.
 */
typedef struct rvl_config {
    uint32_t size;
    const char *const *entries;
} rvl_config;

enum {                                          /* rvl_device_desc.flags */
       RVL_DEVICE_MAPS = 1 << 0,                /* `map` works                               */
       RVL_DEVICE_COHERENT = 1 << 1,            /* `sync` is a no-op */
       RVL_DEVICE_COUNTS_INSTRUCTIONS = 1 << 2, /* counts of retired instructions are
                                                 * reproducible */
       RVL_DEVICE_VIRTUAL_TIME = 1 << 3,        /* device time counts instructions */
       RVL_DEVICE_ISOLATES = 1 << 4,            /* a kernel's stray store is caught */
       RVL_DEVICE_BUILT_IN_FIRMWARE = 1 << 5,   /* `load` is not needed, `mailbox` is known */
       RVL_DEVICE_ATOMICS = 1 << 6,             /* atomics work between host and device */
       RVL_DEVICE_SAME_ADDRESSES = 1 << 7,      /* host pointers of `map` equal device addresses;
                                                   set by the common code, which looks at `map` */
       RVL_DEVICE_RUNNING = 1 << 8,      /* since 1.1: the firmware runs and `mailbox` is known. The
                                            common code attaches instead of load and start; only
                                            after a death it calls reset and start, where there are
                                            any */
       RVL_DEVICE_FRESH_MEMORY = 1 << 9, /* since 1.3: memory never holds what another host left.
                                            Without it the firmware clears it first, unless the
                                            setting clear=no says that this takes too long */
       RVL_DEVICE_CANT_RING = 1 << 10, /* since 1.3: `ring` has no effect. The firmware is asked to
                                          look for commands by itself, once in a millisecond */
       RVL_DEVICE_EXPORTS = 1 << 11,   /* since 1.4: `export_memory` works */
       RVL_DEVICE_IMPORTS = 1 << 12,   /* since 1.4: `import_memory` works */
       RVL_DEVICE_SHARED = 1 << 13,    /* since 1.5: hosts may use the device at the same time, each
                                          with a heap of its own */
       RVL_DEVICE_PCI = 1 << 14,       /* since 1.7: it is the PCI function of the description */
       RVL_DEVICE_PRIORITIES = 1 << 15, /* since 1.7: of a shared one: this host's launches of a
                                           high priority come before those of other hosts */
};

/* Memory that the firmware's board doesn't know, in whole pages of 4096 bytes; used since 1.2.
 * To protect it, harts need 13 PMP entries; with fewer, the firmware does not use it. The first
 * region of each kind is used. The log says why a region can't be. */
typedef enum rvl_region_kind {
    RVL_REGION_HEAP = 1,       /* for buffers that don't fit in the firmware's heap. It is within
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

/* A device before it runs; the common code later compares this with the firmware's hello. */
typedef struct rvl_device_desc {
    uint32_t size;
    uint32_t flags;
    char name[64];  /* the machine's: "rv64-v512" */
    char board[64]; /* folder under boards/: "virt"                   */
    char isa[512];  /* "rv64imafdcv_zfh_…", or "host" for kernels in the host's own ISA */
    uint32_t harts;
    uint32_t xlen;
    uint32_t vlen; /* bits; 0 without a vector unit */
    uint32_t reserved;
    uint64_t memory_base; /* the range that map, read, write and sync accept */
    uint64_t memory_bytes;
    uint64_t mailbox; /* address, if the firmware is built in or running */

    /* Since 1.1; 0 and "" mean unspecified. */
    char vendor[64];           /* CL_DEVICE_VENDOR                                              */
    uint32_t vendor_id;        /* CL_DEVICE_VENDOR_ID: PCI's, or one assigned by Khronos */
    uint32_t clock_mhz;        /* CL_DEVICE_MAX_CLOCK_FREQUENCY                                 */
    uint32_t cache_block;      /* of the host's cache, 32 … 256: `sync` works on whole ones;
                                  0: RVL_CACHE_BLOCK                                          */
    uint32_t copy_alignment;   /* for address and size of copy_begin; 0: 1 */
    uint64_t copy_least_bytes; /* below this, copy_begin is not worthwhile */
    rvl_region regions[RVL_MAX_REGIONS];

    /* Since 1.4: the harts' core, as in the device tree: "spacemit,x60"; "": unknown. Code is tuned
     * for it, but runs on any core with this ISA. */
    char core[64];

    /* Since 1.5: of the heap, if that is known before a host is served; 0: unknown. */
    uint64_t heap_bytes;

    /* Since 1.7, with RVL_DEVICE_PCI: CL_DEVICE_PCI_BUS_INFO_KHR. */
    uint32_t pci_domain, pci_bus, pci_device, pci_function;

    /* Since 1.8: CL_DEVICE_LOCAL_MEM_SIZE, unless there is an RVL_REGION_SCRATCHPAD. The firmware
     * must have that much for a work-group, and may have more. 0: what the ELF file says that the
     * library loads; 64 KiB if it loads none, or an older one. */
    uint64_t local_memory_bytes;
} rvl_device_desc;

/* Size of a description from a HAL 1.0 driver. */
#define RVL_DEVICE_DESC_BYTES_1_0 offsetof(rvl_device_desc, vendor)

/* For `enumerate` and `describe`: stores a description in the caller's array, whose elements may
 * be of another version, shorter or longer: devices[0].size gives their size on entry. A driver
 * that assigns its own struct instead writes past the end of an older library's. */
static inline void rvl_put_description(rvl_device_desc *devices, size_t index,
                                       const rvl_device_desc *own) {
    const uint32_t bytes = devices->size;
    char *const to = (char *)devices + index * bytes;
    const size_t known = bytes < sizeof *own ? bytes : sizeof *own;
    memset(to, 0, bytes);
    memcpy(to, own, known);
    memcpy(to + offsetof(rvl_device_desc, size), &bytes, sizeof bytes);
}

/* Functions of the common code for drivers; valid until `close` returns. `log`: level 0 error, 1
 * warning, 2 information, 3 debug; any thread; the text is copied. `died` is called at most once
 * per start, on any thread, with no driver lock held, and not from within read, write or sync,
 * which return RVL_DEAD instead. */
typedef struct rvl_host {
    uint32_t size;
    void *user;
    void (*log)(void *user, int level, const char *text);
    void (*died)(void *user, const char *reason);
} rvl_host;

typedef enum rvl_sync_direction {
    RVL_SYNC_TO_DEVICE = 1,   /* the host's writes become visible to the harts: clean */
    RVL_SYNC_FROM_DEVICE = 2, /* the harts' writes become visible to the host: invalidate */
} rvl_sync_direction;

typedef struct rvl_copy {
    uint32_t size;
    uint32_t direction; /* rvl_sync_direction: to or from the device */
    uint64_t address;   /* of the device                             */
    void *host;
    uint64_t bytes;
} rvl_copy;

/* Since 1.6: a kernel that a fixed-function unit of the device executes, listed by
 * CL_DEVICE_BUILT_IN_KERNELS. Programs of clCreateProgramWithBuiltInKernels contain it, and its
 * launches are commands like others. The firmware has a driver for the unit, which gets the sizes
 * of the NDRange and the arguments (device-firmware/core/unit_driver.h). */
typedef enum rvl_built_in_kind {
    RVL_BUILT_IN_VALUE = 0,    /* a scalar, vector or structure */
    RVL_BUILT_IN_GLOBAL = 1,   /* a buffer */
    RVL_BUILT_IN_CONSTANT = 2, /* a buffer that the unit only reads */
} rvl_built_in_kind;

typedef struct rvl_built_in_argument {
    const char *name; /* for clGetKernelArgInfo: "pitch", and "uint" or "uchar*" */
    const char *type;
    uint32_t kind;  /* rvl_built_in_kind */
    uint32_t bytes; /* of a value: 1 to 8; 0 otherwise */
} rvl_built_in_argument;

typedef struct rvl_built_in_kernel {
    uint32_t size;
    uint32_t version;        /* major << 22 | minor << 12 | patch, as cl_version */
    const char *name;        /* "acme.resize": below 64 bytes, without ';', unlike the others' */
    uint32_t unit;           /* the unit's id in the firmware, which its vendor chooses */
    uint32_t function;       /* what the unit is to do, for the firmware's driver */
    uint32_t argument_count; /* at most 16 */
    uint32_t reserved;
    const rvl_built_in_argument *arguments;
    uint64_t max_global_size[3]; /* CL_KERNEL_GLOBAL_WORK_SIZE; 1 for dimensions without a use */
} rvl_built_in_kernel;

/* Since 1.7: what a device's sensors say now. Fields of what the driver doesn't know stay as the
 * caller has set them, which is unknown. */
#define RVL_NO_TEMPERATURE INT32_MIN
enum {                                   /* rvl_conditions.flags */
       RVL_CONDITION_THROTTLED = 1 << 0, /* kept below rvl_device_desc.clock_mhz by heat or power */
};

typedef struct rvl_conditions {
    uint32_t size;
    uint32_t clock_mhz;         /* of the harts; 0: unknown */
    int32_t millidegrees;       /* Celsius, where it is hottest; RVL_NO_TEMPERATURE: unknown */
    int32_t millidegrees_limit; /* … from which on harts are throttled; the same */
    uint32_t flags;
} rvl_conditions;

typedef struct rvl_device rvl_device; /* defined by the driver */

/*  The order of calls for a device; after a death or a stop it continues with `reset`:
 *
 *   enumerate, open, describe, map ─► load ─► write (boot block) ─► start ─► wait, ring, … ─► close
 *                                      ▲                                        │
 *                                      └──────────────── reset ◄────────────────┘
 */

/* Fields added later are absent if `size` says so, so old drivers work with new runtimes. */
typedef struct rvl_driver {
    uint32_t hal_version; /* RVL_HAL_VERSION it was built with */
    uint32_t size;        /* sizeof(rvl_driver) at that time   */
    const char *name;     /* "qemu", "loopback", "gdb", …      */

    /* Finding and opening. `enumerate` stores at most `capacity` descriptions
     * (rvl_put_description) and the number of devices found; it starts nothing. `open` gets one
     * of these descriptions, which tells a driver with several devices which one is meant. */
    rvl_status (*enumerate)(const rvl_config *, const rvl_host *, rvl_device_desc *,
                            size_t capacity, size_t *count);
    rvl_status (*open)(const rvl_config *, const rvl_device_desc *, const rvl_host *,
                       rvl_device **);
    void (*close)(rvl_device *);

    /* Life cycle. `load`: an ELF file, before `start`; NULL or RVL_UNSUPPORTED if the firmware
     * is in flash and the description has its mailbox. `start` lets the harts run. `reset`
     * returns the device to its state before `load`: memory contents undefined, driver open.
     * With RVL_DEVICE_RUNNING, `start` and `reset` may be RVL_UNSUPPORTED, too. */
    rvl_status (*load)(rvl_device *, const void *elf, size_t bytes);
    rvl_status (*start)(rvl_device *);
    rvl_status (*reset)(rvl_device *);

    /* Memory, by device address; accessible from `open` on. `map` is called once, for all of
     * memory_bytes, including holes that will not be accessed; its pointer stays valid until
     * `close`, across resets. Drivers that always map need no `read` and `write`. Reads and
     * writes take effect in call order; an aligned 4-byte word is accessed atomically. `sync`
     * works on whole cache blocks. The caller has checked bounds. */
    rvl_status (*map)(rvl_device *, uint64_t address, size_t bytes, void **host);
    rvl_status (*read)(rvl_device *, uint64_t address, void *, size_t bytes);
    rvl_status (*write)(rvl_device *, uint64_t address, const void *, size_t bytes);
    rvl_status (*sync)(rvl_device *, uint64_t address, size_t bytes, rvl_sync_direction);

    /* Doorbell. `ring` never blocks; rings may merge, but none is lost; it orders earlier stores
     * (null.c). `wait` returns RVL_OK after a bell from the device (including one that came
     * before the call and has not been waited for), RVL_TIMEOUT, or RVL_DEAD. Spurious RVL_OK is
     * allowed. `wake` makes the current `wait`, or otherwise the next one, return RVL_OK. */
    rvl_status (*ring)(rvl_device *, uint64_t hart_mask);
    rvl_status (*wait)(rvl_device *, uint64_t timeout_ns);
    rvl_status (*wake)(rvl_device *);

    /* Optional: updates what is known better once the device is open (an address chosen by the
     * operating system, for example). Other fields stay as `enumerate` set them. */
    rvl_status (*describe)(rvl_device *, rvl_device_desc *);

    /* All optional, since 1.1.
     *
     * Large copies by the device's DMA engine. `copy_begin` starts a copy between the device and
     * host memory, which stays valid and untouched until the copy has ended, and returns a
     * ticket; RVL_UNSUPPORTED means that this copy is to be done with read or write instead. The
     * driver maintains caches. `copy_wait` returns RVL_OK once the copy has succeeded,
     * RVL_TIMEOUT before that, otherwise why it failed; after RVL_TIMEOUT it is called again.
     * Several copies may be in flight, in no particular order; both functions may run
     * concurrently with any other call. */
    rvl_status (*copy_begin)(rvl_device *, const rvl_copy *, uint64_t *ticket);
    rvl_status (*copy_wait)(rvl_device *, uint64_t ticket, uint64_t timeout_ns);

    /* Saves power: all harts stop where they are, memory and registers keep their contents, and
     * `resume` continues. The common code does not access the device in between. */
    rvl_status (*suspend)(rvl_device *);
    rvl_status (*resume)(rvl_device *);

    /* All optional, since 1.4. Linux's dma-bufs: memory that other devices' drivers use, too, in
     * place. Addresses and bytes are whole pages of the heap, which the common code has reserved.
     * `export_memory` stores a descriptor of a new dma-buf, which is closed on exec.
     * `export_ended` returns RVL_OK once no process and no driver holds a dma-buf of these pages,
     * otherwise RVL_TIMEOUT. `import_memory` puts the start of a dma-buf of others in the place
     * of these pages until `end_import`; RVL_UNSUPPORTED if the device can't reach that memory.
     * None of them copies. */
    rvl_status (*export_memory)(rvl_device *, uint64_t address, uint64_t bytes, int *descriptor);
    rvl_status (*export_ended)(rvl_device *, uint64_t address, uint64_t bytes);
    rvl_status (*import_memory)(rvl_device *, uint64_t address, uint64_t bytes, int descriptor);
    rvl_status (*end_import)(rvl_device *, uint64_t address, uint64_t bytes);

    /* Optional, since 1.5. Memory that other processes can map: stores a new descriptor of the file
     * that is the device's memory, closed on exec, and the offset of memory_base in it. */
    rvl_status (*memory_file)(rvl_device *, int *descriptor, uint64_t *offset);

    /* Optional, since 1.6. The built-in kernels of an open device's fixed-function units: pointers
     * that stay valid until `close`, with a NULL behind them; or NULL. */
    const rvl_built_in_kernel *const *(*built_in_kernels)(rvl_device *);

    /* Optional, since 1.7. Clock, temperature and throttling, for programs that show them. May run
     * concurrently with any other call; the device may be stopped. */
    rvl_status (*conditions)(rvl_device *, rvl_conditions *);

    /* Optional, since 1.9. Sets the harts' clock, in MHz: they run no faster from now on, also
     * after `close`, until another call; heat and power may keep them slower. The caller has
     * checked that it is neither 0 nor above rvl_device_desc.clock_mhz, if that is known.
     * RVL_INVALID for a clock that the chip doesn't have. May run concurrently with any other call;
     * the device may be stopped. */
    rvl_status (*set_clock)(rvl_device *, uint32_t mhz);
} rvl_driver;

/* A driver is a shared object, drivers/NAME.so in Rivulet's data directory (lib/rivulet or
 * RIVULET_DATA), that exports this function. It returns the table of the driver with that name,
 * or NULL. One file may contain several drivers, under links with their names. It is loaded, on
 * any thread, when devices are looked for, and never unloaded. */
__attribute__((visibility("default"))) const rvl_driver *rvl_driver_named(const char *name);

#ifdef __cplusplus
}
#endif
#endif
