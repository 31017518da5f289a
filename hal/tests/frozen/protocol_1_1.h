/* SPDX-License-Identifier: Apache-2.0
 *
 * Mailbox, launch record and fault report of protocol 1.1: mailbox.h, launch.h and fault.h as they
 * were on the day on which 1.1 was left behind. Never changed. */
#ifndef RIVULET_PROTOCOL_1_1_H
#define RIVULET_PROTOCOL_1_1_H

#include "hal/protocol/version.h"

#undef RVL_PROTOCOL_VERSION
#define RVL_PROTOCOL_VERSION RVL_VERSION(1, 1)

#define RVL_MAILBOX_MAGIC 0x544c5652u /* "RVLT" */
#define RVL_MAX_HARTS 64
#define RVL_FAULT_NONE 0xffffffffu
#define RVL_BOOT_UNFENCED 1u /* rvl_boot.flags: kernels may run where PMP can't fence them */

/* States of the device, by the names of Linux remoteproc. */
typedef enum rvl_state {
    RVL_STATE_OFFLINE = 0,
    RVL_STATE_BOOTING = 1,
    RVL_STATE_RUNNING = 2,
    RVL_STATE_CRASHED = 3, /* the firmware itself failed; log says why    */
    RVL_STATE_REFUSED = 4, /* boot.protocol has a major it does not speak */
    RVL_STATE_SUSPENDED = 5, /* sleeps as a whole; no device of today does */
} rvl_state;

typedef struct rvl_hello {
    uint32_t magic;    /* RVL_MAILBOX_MAGIC                              */
    uint32_t protocol; /* RVL_PROTOCOL_VERSION of the firmware           */
    uint32_t bytes;    /* sizeof(rvl_hello) of the firmware              */
    uint32_t state;    /* rvl_state; written last, after everything else */
    uint8_t build_id[20];
    uint32_t harts;
    uint32_t xlen;               /* 32 or 64                                       */
    uint32_t vlen;               /* bits; 0 without a vector unit                  */
    uint32_t cache_block;        /* bytes, at most RVL_CACHE_BLOCK                 */
    uint32_t pmp_entries;        /* 0: kernels are not fenced                      */
    uint64_t timebase;           /* Hz of every device time                        */
    uint64_t heap_base;          /* memory that the host hands out to contexts     */
    uint64_t heap_bytes;
    uint64_t hart_memory_bytes;  /* per hart: guard, stack, frame, saved, local    */
    uint64_t local_memory_bytes; /* most local memory that one work-group may have */
    uint64_t command_ring;       /* addresses                                      */
    uint64_t completion_ring;
    uint64_t log_ring;
    uint64_t fault_table;
    uint32_t command_slots;    /* powers of two                                  */
    uint32_t completion_slots;
    uint32_t log_bytes;
    uint32_t fault_slots;
    char board[64];
    char isa[512]; /* as in the device tree: "rv64imafdcv_zba_…"     */
    /* Since 1.1; an older firmware's hello ends here. */
    uint64_t statistics; /* address of an rvl_hart_statistics per hart */
    uint64_t crash;      /* address of an rvl_crash (crash.h)          */
} rvl_hello;
RVL_STATIC_ASSERT(sizeof(rvl_hello) <= 1024, "hello fits before boot");
RVL_STATIC_ASSERT(offsetof(rvl_hello, timebase) == 56, "layout of hello");
RVL_STATIC_ASSERT(offsetof(rvl_hello, board) == 144, "layout of hello");
#define RVL_HELLO_LEAST_BYTES offsetof(rvl_hello, statistics)
RVL_STATIC_ASSERT(RVL_HELLO_LEAST_BYTES == 720, "layout of hello 1.0");

typedef struct rvl_boot {
    uint32_t magic;    /* RVL_MAILBOX_MAGIC                                  */
    uint32_t protocol; /* RVL_PROTOCOL_VERSION of the host                   */
    uint32_t flags;
    uint32_t heartbeat_ms; /* how often the device shows that it lives; 0: not of its own accord */
    uint64_t device_tree; /* address of a flattened tree, 0: as the hart was given */
    uint8_t padding[40];
} rvl_boot;
RVL_STATIC_ASSERT(sizeof(rvl_boot) == 64, "boot is one cache block");

/* A word with one writer, alone on its cache block. */
typedef struct rvl_line {
    uint32_t value;
    uint8_t padding[RVL_CACHE_BLOCK - 4];
} rvl_line;
RVL_STATIC_ASSERT(sizeof(rvl_line) == RVL_CACHE_BLOCK, "a line is one cache block");

typedef struct rvl_ring {
    rvl_line head; /* consumer's */
    rvl_line tail; /* producer's */
} rvl_ring;

/* Written by hart 0's timer, whatever its kernels do; count last. */
typedef struct rvl_heartbeat {
    uint32_t count;
    uint32_t reserved;
    uint64_t time; /* device time */
    uint8_t padding[RVL_CACHE_BLOCK - 16];
} rvl_heartbeat;
RVL_STATIC_ASSERT(sizeof(rvl_heartbeat) == RVL_CACHE_BLOCK, "a heartbeat is one cache block");

/* The work of a hart since the firmware started; the hart is the only writer. */
typedef struct rvl_hart_statistics {
    uint64_t launches;     /* that it entered                                     */
    uint64_t groups;       /* work-groups of the launches that ended on this hart */
    uint64_t instructions; /* in U mode                                           */
    uint64_t idle;         /* ticks without work                                  */
    uint64_t hart_id;      /* mhartid                                             */
    uint64_t reserved[3];
} rvl_hart_statistics;
RVL_STATIC_ASSERT(sizeof(rvl_hart_statistics) == RVL_CACHE_BLOCK, "one cache block per hart");

typedef struct rvl_mailbox {
    rvl_hello hello;
    uint8_t hello_padding[1024 - sizeof(rvl_hello)];
    rvl_boot boot;
    rvl_line device_bell_wanted; /* device writes: ring, or the command goes unseen     */
    rvl_line host_bell_wanted;   /* host writes: ring, or the completion goes unseen    */
    rvl_ring commands;           /* host → device, rvl_slot                             */
    rvl_ring completions;        /* device → host, rvl_slot                             */
    rvl_ring log;                /* device → host, bytes of text; full: lines are lost  */
    uint32_t wake_count[RVL_MAX_HARTS]; /* traps and wake-ups of a hart, but for heartbeats */
    uint32_t log_lost;                  /* bytes                                        */
    uint8_t log_padding[60];
    rvl_heartbeat heartbeat;
    uint8_t tail_padding[64];
} rvl_mailbox;
RVL_STATIC_ASSERT(offsetof(rvl_mailbox, boot) == 1024, "layout of the mailbox");
RVL_STATIC_ASSERT(offsetof(rvl_mailbox, device_bell_wanted) == 1088, "layout of the mailbox");
RVL_STATIC_ASSERT(offsetof(rvl_mailbox, commands) == 1216, "layout of the mailbox");
RVL_STATIC_ASSERT(offsetof(rvl_mailbox, wake_count) == 1600, "layout of the mailbox");
RVL_STATIC_ASSERT(offsetof(rvl_mailbox, heartbeat) == 1920, "layout of the mailbox");
RVL_STATIC_ASSERT(sizeof(rvl_mailbox) == 2048, "layout of the mailbox");

/*  One slot of a ring: 64 bytes.
 *
 *   0        2      3      4        6        8
 *   +--------+------+------+--------+--------+------------------ ... --+
 *   | group  | serv | flags| length | token  | payload, 56 bytes       |
 *   +--------+------+------+--------+--------+------------------ ... --+
 *
 * length: bytes of the payload in use. token: chosen by the sender of a command, repeated in its
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
enum { /* rvl_header.service */
    RVL_BASE_PING = 1,        /* completes at once; start = end = device time  */
    RVL_BASE_INJECT = 2,      /* rvl_inject: the firmware fails, for tests     */
    RVL_MEMORY_LOAD_CODE = 1, /* rvl_load_code                                 */
    RVL_LAUNCH_NDRANGE = 1,   /* rvl_launch                                    */
    RVL_LAUNCH_KILL = 2,      /* rvl_kill                                      */
};
enum { /* rvl_header.flags */
    RVL_FLAG_COMPLETION = 1 << 0,
    RVL_FLAG_BARRIER = 1 << 1, /* waits until all earlier launches of its stream have ended */
    RVL_FLAG_SILENT = 1 << 2,  /* no completion unless it fails                             */
    RVL_FLAG_ON_SUCCESS = 1 << 3, /* with BARRIER: skipped unless the launch before it in its
                                     stream, by the order of the ring, ended OK             */
};

/* Copies code to where it is executed, then makes every hart fetch anew. The only way in which
 * code may come to the device: what the host writes to memory that was executed before may never
 * be seen by a hart's instruction fetch. */
typedef struct rvl_load_code {
    uint64_t destination;
    uint64_t source; /* may equal destination: then only the fetch is renewed, on real caches */
    uint64_t bytes;
} rvl_load_code;

/* One NDRange. What isolation rests on stands here, not in the launch record, since kernels of
 * the same context can write to their arena. Page numbers are addresses / RVL_PAGE_BYTES. */
typedef struct rvl_launch {
    uint32_t launch;      /* number, never reused; 0 is none                             */
    uint32_t stream;      /* launches of one stream keep their order where barriers say  */
    uint64_t record;      /* address of the rvl_launch_record, page aligned, in the arena */
    uint64_t hart_mask;   /* harts that may take part; 0: all                            */
    uint32_t arena_page;  /* the context's memory: readable and writable                 */
    uint32_t arena_pages;
    uint32_t code_page;   /* the kernel image's code: readable and executable            */
    uint32_t code_pages;
    uint32_t time_limit;  /* ms of running, 0: none                                      */
    uint32_t context;     /* whose it is: between launches of different ones a hart clears
                             its memory and registers                                     */
} rvl_launch;

typedef enum rvl_injection {
    RVL_INJECT_TRAP = 1,           /* a trap in M mode              */
    RVL_INJECT_ASSERT = 2,         /* an assertion that fails       */
    RVL_INJECT_STACK_OVERFLOW = 3, /* of a hart's stack in M mode   */
    RVL_INJECT_OVERRUN = 5,        /* of an array on such a stack   */
    RVL_INJECT_HANG = 4,           /* hart 0 goes on for ever, with the lock held */
} rvl_injection;

typedef struct rvl_inject {
    uint32_t kind; /* rvl_injection */
    uint32_t reserved;
} rvl_inject;

typedef struct rvl_kill {
    uint32_t launch;
    uint32_t reserved;
} rvl_kill;

/* How a command ended. */
typedef enum rvl_result {
    RVL_RESULT_OK = 0,
    RVL_RESULT_FAULT = 1,      /* a trap in the kernel; the report is in the fault table   */
    RVL_RESULT_TIME_LIMIT = 2, /* likewise, with the place where it was stopped            */
    RVL_RESULT_KILLED = 3,
    RVL_RESULT_INVALID = 4,    /* the command itself makes no sense; the log says why      */
    RVL_RESULT_UNKNOWN = 5,    /* a group or service that this firmware does not have      */
    RVL_RESULT_SKIPPED = 6,    /* RVL_FLAG_ON_SUCCESS, and the launch before it did not end OK */
} rvl_result;

typedef struct rvl_completion {
    uint32_t launch; /* number, 0 for other commands                          */
    uint32_t result; /* rvl_result                                            */
    uint64_t start;  /* device time of the first work-group's start           */
    uint64_t end;    /* device time of the last one's end                     */
    uint64_t instructions; /* retired in U mode, summed over harts            */
    uint64_t harts;        /* mask of those that took part                    */
    uint32_t fault;        /* index in the fault table or RVL_FAULT_NONE      */
    uint32_t reserved;
} rvl_completion;

typedef struct rvl_slot {
    rvl_header header;
    union {
        uint8_t payload[56];
        rvl_load_code load_code;
        rvl_launch launch;
        rvl_kill kill;
        rvl_inject inject;
        rvl_completion completion;
    };
} rvl_slot;
RVL_STATIC_ASSERT(sizeof(rvl_header) == 8, "header as in RPMI");
RVL_STATIC_ASSERT(sizeof(rvl_launch) == 48, "layout of a launch");
RVL_STATIC_ASSERT(sizeof(rvl_completion) == 48, "layout of a completion");
RVL_STATIC_ASSERT(sizeof(rvl_slot) == 64, "a slot is one cache block");

/* The note in the firmware's ELF file, owner "Rivulet": whoever loads it learns whether the two
 * can talk, and where. */
#define RVL_FIRMWARE_NOTE 0x52465700u
typedef struct rvl_firmware_note {
    uint32_t protocol; /* RVL_PROTOCOL_VERSION */
    uint32_t xlen;
    uint64_t mailbox; /* address              */
    uint8_t build_id[20];
    char board[64];
    uint32_t reserved;
} rvl_firmware_note;
RVL_STATIC_ASSERT(sizeof(rvl_firmware_note) == 104, "layout of the firmware note");

#define RVL_MAX_ARGUMENT_BYTES 2048
#define RVL_MAX_COUNTERS 8

enum { /* a7 of an ecall from U mode */
    RVL_ECALL_EXIT = 0,
    /* Harts of 32 bits: compares 8 bytes at a0 with a1 (low), a2 and, if equal, stores a3, a4 there.
     * a0, a1: what was there before. */
    RVL_ECALL_COMPARE_EXCHANGE = 1,
};

typedef struct rvl_launch_record {
    uint32_t version; /* RVL_PROTOCOL_VERSION                       */
    uint32_t dimensions;
    uint64_t start;  /* where harts enter: the image's e_entry     */
    uint64_t kernel; /* address of the kernel's function           */
    uint64_t global_size[3];   /* unused dimensions: 1             */
    uint64_t global_offset[3]; /* unused dimensions: 0              */
    uint32_t local_size[3];    /* of full groups; uneven last groups are smaller */
    uint32_t group_count[3];
    uint32_t total_groups; /* product of group_count, below 2^31   */
    uint32_t chunk;        /* groups taken at a time               */
    uint32_t local_bytes;  /* of one group: static and arguments   */
    uint32_t saved_bytes;  /* of one group                         */
    uint32_t stack_bytes;  /* needed by one hart                   */
    uint32_t argument_bytes;
    uint64_t image_base;   /* where the kernel image was placed    */
    uint64_t printf_ring;  /* address; 0: no printf                */
    uint32_t printf_bytes;
    uint32_t counters;     /* atomic counters in use               */
    uint64_t reserved[6];
    uint8_t arguments[RVL_MAX_ARGUMENT_BYTES]; /* laid out as the kernel image's note says */
    /* The firmware copies each counter from there to words.counter when the launch becomes active,
     * and back after its last group if it ended well. In the arena, aligned to its size. */
    uint64_t counter_address[RVL_MAX_COUNTERS];
    uint8_t counter_bytes[RVL_MAX_COUNTERS]; /* 4 or 8 */
} rvl_launch_record;
RVL_STATIC_ASSERT(offsetof(rvl_launch_record, global_size) == 24, "layout of the record");
RVL_STATIC_ASSERT(offsetof(rvl_launch_record, local_size) == 72, "layout of the record");
RVL_STATIC_ASSERT(offsetof(rvl_launch_record, total_groups) == 96, "layout of the record");
RVL_STATIC_ASSERT(offsetof(rvl_launch_record, image_base) == 120, "layout of the record");
RVL_STATIC_ASSERT(offsetof(rvl_launch_record, arguments) == 192, "layout of the record");
RVL_STATIC_ASSERT(offsetof(rvl_launch_record, counter_address) == 2240, "layout of the record");
RVL_STATIC_ASSERT(sizeof(rvl_launch_record) <= RVL_PAGE_BYTES, "a record is one page");

typedef struct rvl_launch_words {
    uint32_t next_group; /* kernels add record.chunk                                    */
    uint8_t next_group_padding[60];
    uint32_t yield; /* firmware writes: leave after this chunk                          */
    uint8_t yield_padding[60];
    uint32_t printf_used; /* bytes taken of the printf ring, may exceed its size        */
    uint8_t printf_padding[60];
    uint64_t counter[RVL_MAX_COUNTERS]; /* copied in before the first group, out after the last */
} rvl_launch_words;
RVL_STATIC_ASSERT(offsetof(rvl_launch_words, yield) == 64, "layout of the words");
RVL_STATIC_ASSERT(offsetof(rvl_launch_words, counter) == 192, "layout of the words");

/* The record's page, then the words' page. */
#define RVL_LAUNCH_BYTES (2 * RVL_PAGE_BYTES)

typedef struct rvl_hart_frame {
    uint64_t local_memory; /* address of this hart's local memory, 64-byte aligned       */
    uint64_t saved;        /* address of its saved values, 64-byte aligned               */
    uint32_t hart;
    uint32_t first_group;  /* kernel writes: the groups it works on, for fault reports   */
    uint32_t groups;
    uint32_t reserved[9];
} rvl_hart_frame;
RVL_STATIC_ASSERT(sizeof(rvl_hart_frame) == 64, "a frame is one cache block");

typedef enum rvl_fault_kind {
    RVL_FAULT_FETCH = 1,       /* jump outside of the kernel's code                  */
    RVL_FAULT_ILLEGAL = 2,     /* illegal instruction                                */
    RVL_FAULT_LOAD = 3,        /* load outside of the context's memory               */
    RVL_FAULT_STORE = 4,       /* store or atomic outside of the context's memory    */
    RVL_FAULT_STACK = 5,       /* the guard page below the stack                     */
    RVL_FAULT_MISALIGNED = 6,  /* misaligned atomic                                  */
    RVL_FAULT_TIME_LIMIT = 7,
    RVL_FAULT_OTHER = 8,       /* breakpoint, unknown ecall, …                       */
} rvl_fault_kind;

typedef struct rvl_fault {
    uint32_t version; /* RVL_PROTOCOL_VERSION                    */
    uint32_t launch;
    uint32_t kind;  /* rvl_fault_kind                            */
    uint32_t hart;
    uint64_t cause; /* mcause                                    */
    uint64_t pc;    /* mepc                                      */
    uint64_t value; /* mtval: the address, or the instruction    */
    uint64_t image_base; /* pc - image_base is the image's address */
    uint32_t first_group; /* linear numbers of the groups that the hart was working on */
    uint32_t groups;
    uint64_t time;
    uint64_t x[32]; /* integer registers, x[0] = 0               */
} rvl_fault;
RVL_STATIC_ASSERT(offsetof(rvl_fault, x) == 64, "layout of a fault report");
RVL_STATIC_ASSERT(sizeof(rvl_fault) == 320, "a fault report is five cache blocks");

#endif
