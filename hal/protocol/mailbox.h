/* SPDX-License-Identifier: Apache-2.0
 *
 * The mailbox: communication between host and firmware in shared memory. Little endian.
 *
 * Its address is in the firmware's ELF note (RVL_FIRMWARE_NOTE). Every word has one writer,
 * so plain loads and stores with fences are enough; atomics between host and device are never
 * needed (and are not exact on every machine).
 *
 *   mailbox +-------------------------------+
 *     0     | hello          device writes  |  describes the device, once state is running
 *     1024  | boot           host writes    |  before start, or to attach
 *     1088  | notify enables one word each  |  which side needs a doorbell
 *     1216  | ring indices   one word each  |  command, completion, log
 *     1600  | wake counts    device writes  |  one word per hart
 *     1920  | heartbeat      device writes  |  incremented every boot.heartbeat_ms
 *     1984  | device words   device writes  |  used with large cache blocks
 *     2048  +-------------------------------+
 *
 * The hello has the addresses of the rings and the fault table. A ring has one producer and one
 * consumer; its head (written by the consumer) and tail (written by the producer) count modulo 2^32
 * and have their own cache blocks. Slot of index i: i & (slots - 1).
 *
 *   producer: write slot; fence; tail = tail + 1; fence; if (peer's notify_enabled) ring the bell
 *   consumer: read slots up to tail; fence; head = head + 1; before it sleeps:
 *             notify_enabled = 1; fence; check tail again; sleep; notify_enabled = 0
 *
 * The two fences between storing one's own word and loading the other side's are full ones (store,
 * then load); new tails and heads are released and acquired. device-firmware/tests/ordering checks
 * all of this under a weak memory model, using tags in the source ("order: …"), and removes each
 * fence in turn.
 *
 * A host may attach to running firmware, detach from it, or vanish:
 *
 *   host:   write the rest of boot; fence; boot.session = a new number; ring, regardless of
 *           notify_enabled; wait for hello.session to be that number, then for state
 *   device: state = BOOTING; end the former host's commands, without completions; clear
 *           memory if boot.flags request it; command head = command tail; fence;
 *           hello.session = boot.session; fence; state = RUNNING
 *   host:   completion head = completion tail; continue from the command ring's tail
 *
 * Each index stays with its writer and continues from its value. A host that detaches clears
 * boot.magic and sets the session to 0; the device is DETACHED then. A host whose number is no
 * longer in boot.session has lost the device to another one.
 *
 * Slots and headers have the shape of RISC-V's RPMI messages, launches that of HSA's AQL packets.
 */
#ifndef RIVULET_PROTOCOL_MAILBOX_H
#define RIVULET_PROTOCOL_MAILBOX_H

#include "hal/protocol/version.h"

#define RVL_MAILBOX_MAGIC 0x544c5652u /* "RVLT" */
#define RVL_MAX_HARTS 1024
#define RVL_MASK_HARTS 64 /* with a bit in masks and a word in wake_count */
#define RVL_MAX_UNITS 8
#define RVL_MODEL_UNIT 0x4c444f4du /* "MODL": device-firmware/units/model.c */
#define RVL_FAULT_NONE 0xffffffffu
#define RVL_LEAST_CACHE_BLOCK 32 /* of caches on either side that are not coherent */
#define RVL_LARGEST_CACHE_BLOCK 256
/* rvl_boot.flags */
#define RVL_BOOT_UNFENCED 1u     /* run kernels even if PMP can't fence them */
#define RVL_BOOT_NONCOHERENT 2u  /* the device maintains its caches for shared data */
#define RVL_BOOT_LARGE_BLOCKS 4u /* the host supports RVL_HELLO_LARGE_BLOCKS */
#define RVL_BOOT_CLEAR 8u        /* clear what former hosts left in memory */
/* The host can't ring: the device polls for commands every RVL_POLL_MS, and shows a heartbeat
 * each time. Older firmware polls only with the heartbeats of boot.heartbeat_ms. */
#define RVL_BOOT_POLL 16u
#define RVL_POLL_MS 1u

/* Device states, named as in Linux remoteproc. */
typedef enum rvl_state {
    RVL_STATE_OFFLINE = 0,
    RVL_STATE_BOOTING = 1,
    RVL_STATE_RUNNING = 2,
    RVL_STATE_CRASHED = 3,   /* the firmware itself failed; see the log */
    RVL_STATE_REFUSED = 4,   /* boot.protocol has a major it does not support */
    RVL_STATE_SUSPENDED = 5, /* known to the host only; the device never reports it */
    RVL_STATE_DETACHED = 6,  /* running, waiting for a host */
} rvl_state;

/* Device information: the firmware's half of the handshake. */
typedef struct rvl_hello {
    uint32_t magic;    /* RVL_MAILBOX_MAGIC                              */
    uint32_t protocol; /* RVL_PROTOCOL_VERSION of the firmware           */
    uint32_t bytes;    /* sizeof(rvl_hello) of the firmware              */
    uint32_t state;    /* rvl_state; written last, after everything else */
    uint8_t build_id[20];
    uint32_t harts;
    uint32_t xlen;        /* 32 or 64                                       */
    uint32_t vlen;        /* bits; 0 without a vector unit                  */
    uint32_t cache_block; /* block size of cbo.clean and the like */
    uint32_t pmp_entries; /* 0: kernels are not fenced */
    uint64_t timebase;    /* Hz of all device times */
    uint64_t heap_base;   /* memory that the host allocates to contexts */
    uint64_t heap_bytes;
    uint64_t hart_memory_bytes;  /* per hart: guard, stack, frame, saved, local    */
    uint64_t local_memory_bytes; /* maximum local memory of a work-group */
    uint64_t command_ring;       /* addresses                                      */
    uint64_t completion_ring;
    uint64_t log_ring;
    uint64_t fault_table;
    uint32_t command_slots; /* powers of two */
    uint32_t completion_slots;
    uint32_t log_bytes;
    uint32_t fault_slots;
    char board[64];
    char isa[512]; /* as in the device tree: "rv64imafdcv_zba_…" */
    /* Since 1.1; an older firmware's hello ends here. */
    uint64_t statistics; /* address of an rvl_hart_statistics per hart */
    uint64_t crash;      /* address of an rvl_crash (crash.h)          */
    /* Since 1.2 */
    uint32_t session; /* boot.session of the current host; written before state */
    uint32_t flags;
    /* 0 in an older firmware of 1.2 */
    uint64_t crash_harts; /* address of an rvl_crash_hart per hart (crash.h) */
    /* Since 1.4: the part of boot.second_heap that is used */
    uint64_t second_heap_base;
    uint64_t second_heap_bytes;
    /* Since 1.5: version and commit of the firmware's sources, as `rivulet version` prints them */
    char build[48];
    /* Since 1.6: the harts' core, as in the device tree: "spacemit,x60"; "": unknown */
    char core[64];
    /* Since 1.7: ids of the fixed-function units that RVL_LAUNCH_UNIT can name; 0 ends the list */
    uint32_t units[RVL_MAX_UNITS];
    /* Since 1.7: the least local_memory_bytes of a host that names no scratchpad; 0 in an older
     * firmware of 1.7 */
    uint64_t least_local_memory_bytes;
} rvl_hello;
/* rvl_hello.flags */
#define RVL_HELLO_SIGNED_KERNELS 1u /* only signed code can be loaded */
#define RVL_HELLO_SCRATCHPAD 2u   /* local memory is in boot.scratchpad, not in the harts' memory */
#define RVL_HELLO_LARGE_BLOCKS 4u /* three words are in mailbox.device_words */
#define RVL_HELLO_CLEARED 8u      /* RVL_BOOT_CLEAR has been done */
#define RVL_HELLO_SHARED_PAGES 16u /* rvl_launch.second_page may be in the heap */
#define RVL_HELLO_WAITS 32u        /* RVL_LAUNCH_WAIT is served */
#define RVL_HELLO_PRIORITIES 64u   /* since 1.7: RVL_FLAG_LOW and RVL_FLAG_HIGH are obeyed */
RVL_STATIC_ASSERT((RVL_HELLO_SIGNED_KERNELS | RVL_HELLO_SCRATCHPAD | RVL_HELLO_LARGE_BLOCKS |
                   RVL_HELLO_CLEARED | RVL_HELLO_SHARED_PAGES | RVL_HELLO_WAITS |
                   RVL_HELLO_PRIORITIES) == 127,
                  "each flag has a bit of its own");
RVL_STATIC_ASSERT(sizeof(rvl_hello) <= 1024, "hello fits before boot");
RVL_STATIC_ASSERT(offsetof(rvl_hello, timebase) == 56, "layout of hello");
RVL_STATIC_ASSERT(offsetof(rvl_hello, board) == 144, "layout of hello");
#define RVL_HELLO_LEAST_BYTES offsetof(rvl_hello, statistics)
RVL_STATIC_ASSERT(RVL_HELLO_LEAST_BYTES == 720, "layout of hello 1.0");

/* Host information: the host's half of the handshake, and its requests. */
typedef struct rvl_boot {
    uint32_t magic;    /* RVL_MAILBOX_MAGIC                                  */
    uint32_t protocol; /* RVL_PROTOCOL_VERSION of the host                   */
    uint32_t flags;
    uint32_t heartbeat_ms; /* heartbeat period of the device; 0: none */
    uint64_t device_tree;  /* address of a flattened device tree; 0: the one given to the hart */
    uint32_t session;      /* since 1.2; this host's number, written last; 0: none, or an older
                            * host */
    /* Since 1.7, for tests: kernels are interrupted and resumed with all their state at random
     * times, on average after this time; 0: never */
    uint32_t preempt_us;
    /* Since 1.4: memory in addition to the board's, in whole pages; 0 bytes: none. The heap ends
     * before any of it that it contains. */
    uint64_t second_heap_base; /* for buffers that don't fit in the heap */
    uint64_t second_heap_bytes;
    uint64_t scratchpad_base; /* for local memory: each hart gets a share */
    uint64_t scratchpad_bytes;
} rvl_boot;
RVL_STATIC_ASSERT(sizeof(rvl_boot) == 64, "boot is one cache block");
/* In whole pages, the granularity of PMP. */
static inline uint64_t rvl_scratchpad_share(uint64_t bytes, uint32_t harts) {
    return harts ? bytes / harts / RVL_PAGE_BYTES * RVL_PAGE_BYTES : 0;
}

/* Of a hart, before it is known whether all harts can protect the scratchpad of the board's tree;
 * if not, local memory is in the harts' memory. */
static inline uint64_t rvl_least_local_memory(uint64_t in_hart_memory, uint64_t scratchpad_bytes,
                                              uint32_t harts) {
    const uint64_t share = rvl_scratchpad_share(scratchpad_bytes, harts);
    return share && share < in_hart_memory ? share : in_hart_memory;
}

/* A word with one writer, alone on its cache block. */
typedef struct rvl_padded_word {
    uint32_t value;
    uint8_t padding[RVL_CACHE_BLOCK - 4];
} rvl_padded_word;
RVL_STATIC_ASSERT(sizeof(rvl_padded_word) == RVL_CACHE_BLOCK, "a padded word is one cache block");

typedef struct rvl_ring {
    rvl_padded_word head; /* written by the consumer */
    rvl_padded_word tail; /* written by the producer */
} rvl_ring;

/* Written by hart 0's timer interrupt, even while kernels run; count is written last. */
typedef struct rvl_heartbeat {
    uint32_t count;
    uint32_t reserved;
    uint64_t time; /* device time */
    uint8_t padding[RVL_CACHE_BLOCK - 16];
} rvl_heartbeat;
RVL_STATIC_ASSERT(sizeof(rvl_heartbeat) == RVL_CACHE_BLOCK, "a heartbeat is one cache block");

/* Statistics of a hart since the firmware started; written only by that hart. */
typedef struct rvl_hart_statistics {
    uint64_t launches;     /* launches entered */
    uint64_t groups;       /* work-groups of the launches that ended on this hart */
    uint64_t instructions; /* in U mode                                           */
    uint64_t idle;         /* ticks without work */
    uint64_t hart_id;      /* mhartid                                             */
    uint64_t since;        /* when it entered `launch`, or began to wait; 0: older firmware */
    uint32_t launch;       /* number of the launch it is working on; 0: waiting */
    uint32_t wakes; /* since 1.8, of harts without a word in wake_count: what that would hold */
    uint32_t reserved[2];
} rvl_hart_statistics;
RVL_STATIC_ASSERT(sizeof(rvl_hart_statistics) == RVL_CACHE_BLOCK, "one cache block per hart");

/* If the harts' caches are not coherent with the host and have blocks of more than
 * RVL_CACHE_BLOCK bytes (RVL_HELLO_LARGE_BLOCKS), the device keeps these three words here, among
 * its other words, instead of in their usual places. Then only the host writes from `boot` up to
 * log.tail, only the device before and after, and all other shared data is in whole blocks. */
typedef struct rvl_device_words {
    uint32_t notify_enabled;  /* device_notify_enabled */
    uint32_t command_head;    /* commands.head         */
    uint32_t completion_tail; /* completions.tail      */
    uint32_t reserved[13];
} rvl_device_words;
RVL_STATIC_ASSERT(sizeof(rvl_device_words) == RVL_CACHE_BLOCK, "layout of the device's words");

typedef struct rvl_mailbox {
    rvl_hello hello;
    uint8_t hello_padding[1024 - sizeof(rvl_hello)];
    rvl_boot boot;
    rvl_padded_word device_notify_enabled; /* device writes: ring, or commands go unnoticed */
    rvl_padded_word host_notify_enabled;   /* host writes: ring, or completions go unnoticed */
    rvl_ring commands;                     /* host → device, rvl_slot                             */
    rvl_ring completions;                  /* device → host, rvl_slot                             */
    rvl_ring log;                          /* device → host, bytes of text; full: lines are lost  */
    uint32_t wake_count[RVL_MASK_HARTS];   /* traps and wake-ups of a hart, except for heartbeats;
                                            * of others: rvl_hart_statistics.wakes */
    uint32_t log_lost;                     /* bytes                                        */
    uint32_t cache_served;                 /* counts commands of RVL_MEMORY_CACHE          */
    uint8_t log_padding[56];
    rvl_heartbeat heartbeat;
    rvl_device_words device_words;
} rvl_mailbox;
RVL_STATIC_ASSERT(offsetof(rvl_mailbox, boot) == 1024, "layout of the mailbox");
RVL_STATIC_ASSERT(offsetof(rvl_mailbox, device_notify_enabled) == 1088, "layout of the mailbox");
RVL_STATIC_ASSERT(offsetof(rvl_mailbox, commands) == 1216, "layout of the mailbox");
RVL_STATIC_ASSERT(offsetof(rvl_mailbox, wake_count) == 1600, "layout of the mailbox");
RVL_STATIC_ASSERT(offsetof(rvl_mailbox, heartbeat) == 1920, "layout of the mailbox");
RVL_STATIC_ASSERT(offsetof(rvl_mailbox, device_words) == 1984, "layout of the mailbox");
RVL_STATIC_ASSERT(offsetof(rvl_mailbox, boot) % RVL_LARGEST_CACHE_BLOCK == 0 &&
                      offsetof(rvl_mailbox, log.tail) % RVL_LARGEST_CACHE_BLOCK == 0,
                  "the host's words have large cache blocks of their own");
RVL_STATIC_ASSERT(sizeof(rvl_mailbox) == 2048, "layout of the mailbox");

/*  One slot of a ring: 64 bytes.
 *
 *   0        2      3      4        6        8
 *   +--------+------+------+--------+--------+------------------ ... --+
 *   | group  | serv | flags| length | token  | payload, 56 bytes       |
 *   +--------+------+------+--------+--------+------------------ ... --+
 *
 * length: payload bytes in use. token: chosen by the sender of a command, repeated in its
 * completion. The completion repeats group and service and sets RVL_FLAG_COMPLETION.
 */
typedef struct rvl_header {
    uint16_t group;
    uint8_t service;
    uint8_t flags;
    uint16_t length;
    uint16_t token;
} rvl_header;

enum { /* rvl_header.group */
       RVL_GROUP_BASE = 1,
       RVL_GROUP_MEMORY = 2,
       RVL_GROUP_LAUNCH = 3,
};
enum {                           /* rvl_header.service */
       RVL_BASE_PING = 1,        /* completes at once; start = end = device time  */
       RVL_BASE_INJECT = 2,      /* makes the firmware fail, for tests */
       RVL_BASE_SAMPLE = 3,      /* rvl_sampling; since 1.3                       */
       RVL_MEMORY_LOAD_CODE = 1, /* rvl_load_code                                 */
       RVL_MEMORY_CACHE = 2,     /* rvl_cache_ranges; also counted in cache_served */
       RVL_LAUNCH_NDRANGE = 1,   /* rvl_launch                                    */
       RVL_LAUNCH_KILL = 2,      /* rvl_kill                                      */
       RVL_LAUNCH_WAIT = 3,      /* rvl_wait; if hello.flags has RVL_HELLO_WAITS  */
       RVL_LAUNCH_UNIT = 4,      /* rvl_launch, by a unit of hello.units; since 1.7 */
};
enum { /* rvl_header.flags */
       RVL_FLAG_COMPLETION = 1 << 0,
       RVL_FLAG_BARRIER = 1 << 1,    /* wait until all earlier launches of the stream have ended */
       RVL_FLAG_SILENT = 1 << 2,     /* no completion unless it fails */
       RVL_FLAG_ON_SUCCESS = 1 << 3, /* with BARRIER: skipped unless the launch before it in its
                                        stream, by the order of the ring, ended OK             */
       /* Of RVL_LAUNCH_NDRANGE, with RVL_HELLO_PRIORITIES: the launch's priority; without either it
        * is between them, with both the highest. Harts take launches by priority, and leave a
        * kernel in the middle for launches of a higher one, as long as there are any. */
       RVL_FLAG_LOW = 1 << 4,
       RVL_FLAG_HIGH = 1 << 5,
       /* Since 1.8, for devices with more than RVL_MASK_HARTS harts: rvl_launch.hart_mask holds the
        * number of the first hart in its lower half, and how many there are in its upper half. */
       RVL_FLAG_HART_RANGE = 1 << 6,
};

/* Copies code to where it is executed, then makes every hart synchronise its instruction fetch.
 * This is the only way to bring code to the device: a hart's instruction fetch might never see
 * host writes to memory that was executed before. */
typedef struct rvl_load_code {
    uint64_t destination;
    uint64_t source; /* may equal destination: then only instruction fetch is synchronised, on
                      * real caches */
    uint64_t bytes;
    /* Since 1.2: address of the code's signature (signature.h), in the heap; 0: none. Required
     * if hello.flags has RVL_HELLO_SIGNED_KERNELS, ignored otherwise. */
    uint64_t signature;
} rvl_load_code;
#define RVL_LOAD_CODE_LEAST_BYTES offsetof(rvl_load_code, signature)

/* Maintains the harts' caches if they are not coherent with the host. Heap memory that kernels
 * wrote is cleaned before the host reads it, and before the host writes to it (or a block might
 * be written back later, over the host's data); what the host wrote is invalidated before a
 * launch that reads it. The host's own caches are maintained by the driver (rvl_driver.sync).
 * For the data shared between host and firmware (mailbox, rings, records, words, reports), the
 * firmware does this itself. Always in ring order, and in whole blocks of hello.cache_block. */
#define RVL_CACHE_CLEAN 1u
#define RVL_CACHE_INVALIDATE 2u
#define RVL_CACHE_RANGES 3
typedef struct rvl_cache_ranges {
    uint32_t operation; /* RVL_CACHE_CLEAN or RVL_CACHE_INVALIDATE */
    uint32_t count;     /* number of ranges in use */
    struct {
        uint64_t address;
        uint64_t bytes;
    } range[RVL_CACHE_RANGES];
} rvl_cache_ranges;

/* One NDRange. Everything that isolation between contexts depends on is here, not in the launch
 * record. Page numbers are addresses / RVL_PAGE_BYTES. */
typedef struct rvl_launch {
    uint32_t launch;     /* number, never reused; 0: none */
    uint32_t stream;     /* launches of one stream are ordered by barriers */
    uint64_t record;     /* address of the rvl_launch_record, page aligned (launch.h)    */
    uint64_t hart_mask;  /* harts that may take part, as a mask unless RVL_FLAG_HART_RANGE is set;
                          * 0: all. RVL_LAUNCH_UNIT: the unit's id */
    uint32_t arena_page; /* the context's memory: readable and writable */
    uint32_t arena_pages;
    uint32_t code_page; /* all code and records of the context: readable, executable */
    uint32_t code_pages;
    uint32_t time_limit;  /* in ms of run time; 0: none */
    uint32_t context;     /* whose it is: between launches of different ones a hart clears
                             its memory and registers                                     */
    uint32_t second_page; /* since 1.4: the context's memory in the second heap, like arena; with
                             RVL_HELLO_SHARED_PAGES also memory in the heap that contexts share */
    uint32_t second_pages;
} rvl_launch;
#define RVL_LAUNCH_LEAST_BYTES offsetof(rvl_launch, second_page)

/* Holds back what follows in its stream until launches of other streams have ended, as HSA's
 * barrier-AND packets do. It has a place in its stream like a launch: the header's flags mean the
 * same, it can be killed, and what follows with RVL_FLAG_ON_SUCCESS is skipped unless it succeeds.
 * It has no completion. The launches that it names come before it in the ring; one that the device
 * does not know has ended. The device may have forgotten an old failure, so what depends on one may
 * run; its completion comes after that of the launch that failed. */
#define RVL_WAITS 11
typedef struct rvl_wait {
    uint32_t number; /* from the same sequence as launches */
    uint32_t stream;
    uint8_t count;
    uint8_t failed;         /* 1: it doesn't succeed in any case */
    uint16_t needs_success; /* mask: it succeeds only if these do, too */
    uint32_t launch[RVL_WAITS];
} rvl_wait;

typedef enum rvl_injection {
    RVL_INJECT_TRAP = 1,           /* a trap in M mode              */
    RVL_INJECT_ASSERT = 2,         /* an assertion that fails       */
    RVL_INJECT_STACK_OVERFLOW = 3, /* of a hart's stack in M mode   */
    RVL_INJECT_OVERRUN = 5,        /* of an array on such a stack */
    RVL_INJECT_HANG = 4,           /* hart 0 loops forever, with the lock held */
} rvl_injection;

typedef struct rvl_inject {
    uint32_t kind; /* rvl_injection */
    uint32_t reserved;
} rvl_inject;

typedef struct rvl_kill {
    uint32_t launch;
    uint32_t reserved;
} rvl_kill;

/* Requests samples of kernel pcs: each hart's timer interrupts it at this interval while it is
 * in a kernel, and the firmware records the pc in the hart's ring. It never waits for a reader:
 * the oldest samples of a full ring are overwritten. Off initially, and once the host is gone. */
typedef struct rvl_sampling {
    uint64_t address;   /* of an rvl_sample_ring per hart, in the heap, aligned to a cache block */
    uint32_t slots;     /* of each ring, a power of two */
    uint32_t period_us; /* of a hart's kernel time; 0: off */
} rvl_sampling;

/* Shorter periods are raised to this, or harts might do nothing but take samples. */
#define RVL_SAMPLE_LEAST_PERIOD_US 100u

typedef struct rvl_sample {
    uint32_t launch;    /* its number; 0: never written */
    uint32_t pc_offset; /* from the kernel image's base */
    uint64_t time;      /* device time */
} rvl_sample;
RVL_STATIC_ASSERT(sizeof(rvl_sample) == 16, "layout of a sample");

typedef struct rvl_sample_ring {
    uint32_t count; /* samples taken, modulo 2^32; written by the device after the sample */
    uint8_t padding[RVL_CACHE_BLOCK - 4];
    /* followed by `slots` times rvl_sample; that of number i: i & (slots - 1) */
} rvl_sample_ring;
RVL_STATIC_ASSERT(sizeof(rvl_sample_ring) == RVL_CACHE_BLOCK, "the count is one cache block");

/* How a command ended. */
typedef enum rvl_result {
    RVL_RESULT_OK = 0,
    RVL_RESULT_FAULT = 1,      /* a trap in the kernel; the report is in the fault table   */
    RVL_RESULT_TIME_LIMIT = 2, /* likewise, with the pc at which it was stopped */
    RVL_RESULT_KILLED = 3,
    RVL_RESULT_INVALID = 4,  /* the command is invalid; the log says why */
    RVL_RESULT_UNKNOWN = 5,  /* a group or service that this firmware does not implement */
    RVL_RESULT_SKIPPED = 6,  /* RVL_FLAG_ON_SUCCESS, and the previous launch did not succeed */
    RVL_RESULT_UNSIGNED = 7, /* code without a signature, signed with another key, or altered */
} rvl_result;

typedef struct rvl_completion {
    uint32_t launch;       /* number; 0 for other commands */
    uint32_t result;       /* rvl_result                                            */
    uint64_t start;        /* device time of the first work-group's start           */
    uint64_t end;          /* device time of the last one's end                     */
    uint64_t instructions; /* retired in U mode, summed over harts            */
    uint64_t harts;        /* mask of those that took part, of the first RVL_MASK_HARTS */
    uint32_t fault;        /* index in the fault table or RVL_FAULT_NONE      */
    uint32_t reserved;
} rvl_completion;

typedef struct rvl_slot {
    rvl_header header;
    union {
        uint8_t payload[56];
        rvl_load_code load_code;
        rvl_cache_ranges cache;
        rvl_launch launch;
        rvl_kill kill;
        rvl_wait wait;
        rvl_inject inject;
        rvl_sampling sampling;
        rvl_completion completion;
    };
} rvl_slot;
RVL_STATIC_ASSERT(sizeof(rvl_header) == 8, "header as in RPMI");
RVL_STATIC_ASSERT(sizeof(rvl_cache_ranges) == 56, "layout of cache maintenance");
RVL_STATIC_ASSERT(sizeof(rvl_launch) == 56, "layout of a launch");
RVL_STATIC_ASSERT(sizeof(rvl_wait) == 56, "layout of a wait");
RVL_STATIC_ASSERT(offsetof(rvl_wait, number) == offsetof(rvl_launch, launch) &&
                      offsetof(rvl_wait, stream) == offsetof(rvl_launch, stream),
                  "number and stream are where a launch has them");
RVL_STATIC_ASSERT(sizeof(rvl_completion) == 48, "layout of a completion");
RVL_STATIC_ASSERT(sizeof(rvl_slot) == 64, "a slot is one cache block");

/* The note in the firmware's ELF file, owner "Rivulet": tells a loader whether it is compatible,
 * and where the mailbox is. */
#define RVL_FIRMWARE_NOTE 0x52465700u
typedef struct rvl_firmware_note {
    uint32_t protocol; /* RVL_PROTOCOL_VERSION */
    uint32_t xlen;
    uint64_t mailbox; /* address              */
    uint8_t build_id[20];
    char board[64];
    uint32_t security_version; /* of its statement (signature.h), unless the signer overrides it */
    /* An older firmware's note ends here. */
    uint32_t local_memory_bytes; /* in a hart's memory */
    uint32_t scratchpad_pages;   /* in the board's tree, for all harts */
} rvl_firmware_note;
RVL_STATIC_ASSERT(sizeof(rvl_firmware_note) == 112, "layout of the firmware note");
#define RVL_FIRMWARE_NOTE_LEAST_BYTES offsetof(rvl_firmware_note, local_memory_bytes)

#endif
