/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole state of the firmware is in one struct, so that a device is one object and several
 * can exist in one process (arch/host).
 *
 *   host ──► command ring ──► service.c ──► stream ──► active launches ◄── schedule.c ◄── harts
 *                                 │            (waits for barriers)            │
 *   host ◄── completion ring ◄────┴───────────── ended launches ◄──────────────┘
 *
 * One lock guards all of it except the harts' own fields; it is never held while a kernel runs.
 * What a hart wrote before it released the lock, to memory and to devices (alarms of other harts),
 * is ordered before the next holder's writes and visible to its reads: so a launch's results are
 * visible to the next launch and, through the release of the completion ring's tail, to the host. A
 * hart going to sleep sets `asleep`, does a full fence and checks once more for work; a hart that
 * has work for it sets `kick`, does a full fence and checks `asleep`. Each such place has a comment
 * "order: NAME", from which tests/ordering extracts what it checks under weak memory models.
 */
#ifndef RIVULET_FIRMWARE_H
#define RIVULET_FIRMWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch_state.h" /* arch_hart, arch_machine and arch_lock of the target architecture */
#include "device-firmware/core/unit_driver.h"
#include "hal/protocol/boot_slot.h"
#include "hal/protocol/crash.h"
#include "hal/protocol/fault.h"
#include "hal/protocol/launch.h"
#include "hal/protocol/mailbox.h"

enum {
    COMMAND_SLOTS = 1024,
    COMPLETION_SLOTS = 1024,
    FAULT_SLOTS = 64,
    LOG_BYTES = 64 << 10,
    MAX_LAUNCHES = 904, /* known to the firmware at a time; more may wait in the ring */
    MAX_STREAMS = MAX_LAUNCHES + 64,
    LOG_LINE = 200,
    PRIORITIES = 3,
    HELD_LEVELS = PRIORITIES - 1, /* launches that a hart has left for one of a higher priority */
    /* Pairs of a priority and a set of harts that can have active launches at the same time. */
    MAX_QUEUES = 64,
    STREAM_BUCKETS = 256,
    FAILURES = 1024,
    FAILURE_TURNS = 24,
    LAUNCH_KINDS = 4,
    LAUNCH_BUCKETS = 512,
    /* Number of steps in one lock hold, where there may be many. */
    STEPS_AT_ONCE = 16,
};
#define NEVER UINT64_MAX
/* MAX_HARTS comes with arch_state.h. */
enum { HART_WORDS = (MAX_HARTS + 63) / 64 };

/* Hart i is bit i % 64 of word[i / 64]; hart_set.h. */
typedef struct hart_set {
    uint64_t word[HART_WORDS];
} hart_set;
#define NO_HARTS ((hart_set){{0}})
/* Whether chains stay in the ring. The firmware for RV32 is compiled for size: it takes all
 * launches as they come. */
#if __riscv_xlen == 32
#define KEEPS_CHAINS false
#else
#define KEEPS_CHAINS true
#endif

/* The mailbox and everything it points to, in memory layout. The host writes to the commands and
 * to some of the mailbox's blocks, the device to all others. */
typedef struct shared_memory {
    rvl_mailbox mailbox;
    rvl_slot commands[COMMAND_SLOTS];
    rvl_slot completions[COMPLETION_SLOTS];
    rvl_fault faults[FAULT_SLOTS];
    rvl_hart_statistics statistics[MAX_HARTS];
    rvl_crash crash;
    char log[LOG_BYTES];
    rvl_crash_hart crash_harts[MAX_HARTS];
} shared_memory;
_Static_assert(offsetof(shared_memory, commands) % RVL_LARGEST_CACHE_BLOCK == 0 &&
                   offsetof(shared_memory, completions) % RVL_LARGEST_CACHE_BLOCK == 0,
               "host and device never write to the same cache block");

typedef struct held_streams {
    struct stream *first, *last; /* linked by `next_held` */
} held_streams;

typedef struct launch_list {
    struct launch *first, *last;
} launch_list;

/* Launches in order of arrival, as far as barriers require it. A stream whose last launch failed
 * is remembered, as long as there is room, for launches that run only on success. */
typedef struct stream {
    struct stream *next;                      /* in its bucket, or in the free list */
    struct stream *list_next, *list_previous; /* in `failed` or `advancing` */
    launch_list waiting;
    struct launch *newest; /* NULL once it has ended */
    uint32_t number;
    uint16_t active;
    uint16_t activated; /* place of the latest launch that left `waiting`, from 1; 0: has ended */
    bool last_failed;   /* the newest launch ended with an error */
    bool advancing;     /* in the list of streams with more launches to activate */
    bool held;          /* in the list of a launch that it waits for, or in `released` */
    struct stream *next_held;
} stream;

typedef struct stream_list {
    stream *first, *last;
} stream_list;

/* Active launches without harts that have the same priority and may run on the same set of harts (a
 * sub-device). Separate queues, so that harts need not skip launches of other sub-devices. */
typedef struct launch_queue {
    struct launch_queue *next, *previous; /* of the same or a lower priority, or of a higher one */
    hart_set allowed;
    uint8_t priority;
    launch_list fresh;               /* launches no hart has worked on yet */
    launch_list ready;               /* launches some hart has; both sorted by last_run */
    bool fresh_starve, ready_starve; /* there are not enough harts to wake */
    uint32_t launches;               /* all active ones, including those with harts */
} launch_queue;

/* What the commands of launches have in common that differ only in what may be different for each:
 * number, stream, record, time limit, and whether it is silent or depends on success. It is
 * validated with the first of them. Their kernels may access the same memory, and can't write to
 * their records. */
typedef struct launch_kind {
    rvl_slot command;
    uint64_t number; /* never reused; 0: no kind */
    uint64_t arena, code, code_bytes;
    hart_set harts;
    uint8_t priority;
} launch_kind;

/* A launch, from its command to its completion. It is in one list at a time: its stream's
 * waiting launches, one of its queue's, the running ones, the ended ones whose completion has
 * not been written yet, or the free ones. It is in none while it is `parked`. */
typedef struct launch {
    struct launch *next, *previous;
    struct launch *next_known; /* in its bucket, while it waits or is active */
    stream *stream;
    launch_queue *queue; /* while active */
    _Alignas(uint64_t) rvl_header header;
    union {
        rvl_launch command;
        rvl_wait wait; /* of RVL_LAUNCH_WAIT, which only waits in its stream */
    };
    held_streams holds; /* streams that look at what they wait for once it has ended */
#if MAX_HARTS > 64
    hart_set allowed; /* else in command.hart_mask: launch_harts */
#endif
    uint64_t arena;
    uint64_t code;    /* code of the whole context, including the records */
    uint64_t kind;    /* number of its launch_kind, or one that no other launch has; 0: of a wait */
    uint32_t session; /* session that submitted it; if no longer current, its completion is
                       * not reported */
    uint32_t counters; /* of the record */

    /* Copied from the record at activation: kernels can write to records of older hosts. */
    uint64_t start, kernel, image_base;
    uint32_t total_groups, chunk, local_bytes, saved_bytes, stack_bytes, argument_bytes;
    uint64_t data, data_bytes; /* the image's; 0 bytes: none */
    rvl_launch_words *words;

    uint64_t last_run;     /* a lower value means it was worked on longer ago */
    uint64_t begun, ended; /* device time */
    uint64_t alarm;        /* alarm of the harts inside */
    uint64_t since;        /* when `harts_now` became non-zero */

    hart_set harts_now;  /* harts working on it now */
    hart_set harts_ever; /* harts that have ever worked on it */
    uint64_t ran;        /* ticks with harts inside, until `since` */
    uint64_t instructions;
    bool predecessor_failed;
    bool starving; /* could use more harts than there are */
    bool parked;   /* all that is left of it is on its holders */
    uint8_t priority;
    uint8_t unit;     /* number of the unit that runs it, from 1; 0: harts do */
    bool yield;       /* last value written to words->yield */
    uint16_t workers; /* number of harts_now */
    uint16_t holders; /* number of harts that have left it in the middle, for a higher priority */
    uint32_t ending;  /* atomic: all harts must leave at once; result says why */
    uint32_t result;
    uint32_t fault;
} launch;

/* A launch that a hart has left in the middle of its kernel, for one of a higher priority. Its
 * registers are in the hart's memory, below its stack. */
typedef struct held_launch {
    launch *launch; /* NULL: it has been ended meanwhile */
    uint64_t instructions;
    uint64_t since;     /* device time when the hart left it */
    uint64_t registers; /* address */
    uint64_t memory_end, stack_limit, used_from;
    uint32_t local_bytes; /* of local memory kept behind the registers */
    uint32_t context, session;
    bool mixed;
} held_launch;

typedef struct hart {
    struct firmware *firmware;
    uint32_t index;
    uint32_t id;     /* mhartid, for messages */
    uint32_t kick;   /* atomic: look for work again */
    uint32_t asleep; /* atomic: needs an interrupt to notice */
    uint32_t code_generation;
    uint32_t context;     /* context whose data its memory and registers hold */
    uint32_t session;     /* session of that context */
    bool mixed;           /* … or that of several */
    bool coarse_stack;    /* the size of what the kernel can write is a power of two */
    bool resumes;         /* its launch was held */
    uint8_t levels;       /* number of `held` in use */
    bool found_work;      /* when it last waited, or the wait was short: it polls first */
    uint64_t used_from;   /* lowest address of its memory that this context's kernels could write */
    uint64_t stack_limit; /* lowest address the current kernel can write; launch_place */
    uint64_t memory_end;  /* end of what it can write: the hart's memory, or what is held begins */
    rvl_hart_frame *frame; /* of the current kernel */
    uint64_t local_memory;
    launch *launch; /* the one it works on */
    rvl_hart_statistics *statistics;
    held_launch held[HELD_LEVELS];
    uint64_t alarm;           /* device time of its timer interrupt */
    uint64_t suspend_at;      /* when it has been idle for firmware.suspend_ticks; 0: not known;
                               * NEVER: that time has passed, so arch_wait may save more power */
    uint64_t instructions;    /* in this launch, since the hart entered */
    uint64_t next_sample;     /* device time, while in a launch with sampling on */
    uint64_t sample_left;     /* kernel ticks until the next sample, while in no launch */
    uint64_t next_preemption; /* device time, while in a launch and preemptions are tested */
    arch_hart arch;
} hart;

typedef struct firmware {
    shared_memory *shared;
    uint64_t shared_bytes; /* of the memory that the board has for it */
    /* These point into the mailbox or into its device_words. */
    struct {
        uint32_t *notify_enabled, *command_head, *completion_tail;
    } words;
    const char *board;
    const char *isa;
    const char *core; /* rvl_hello.core; NULL: on threads */
    uint8_t build_id[20];
    const char *build; /* rvl_hello.build; NULL: on threads, as part of another program */
    uint32_t harts;
    uint32_t vlen;
    uint32_t cache_block;
    bool has_cache_operations; /* arch_cache_… are implemented */
    bool noncoherent;          /* shared memory needs cache maintenance; cache.h */
    bool large_blocks;         /* … with cache blocks above RVL_CACHE_BLOCK */
    uint32_t pmp_entries;
    const char *flaw; /* why a hart can't fence kernels; NULL: all can, or fencing is not
                       * required */
    uint32_t flawed_hart;
    const char *difference; /* how a hart differs from the others; kernels are built for all of
                             * them alike */
    uint32_t different_hart;
    bool preempts;             /* harts can leave kernels in the middle */
    const uint8_t *kernel_key; /* key that kernels must be signed with; NULL: none */
    uint64_t timebase;
    hart_set all_harts;
    uint64_t hart_memory; /* of hart 0; the other harts' memory follows */
    uint64_t hart_memory_bytes;
    uint64_t local_memory_bytes;
    uint64_t heap, heap_bytes;
    uint64_t code, code_bytes; /* the firmware's code and data */
    uint64_t boot, boot_bytes; /* the boot stage's memory; 0 bytes: none */
    uint64_t address_end;      /* beyond it, harts can't access memory; 0: no limit */
    rvl_update *update;        /* update request in it; NULL: none */
    /* The board's own values; regions.c takes from the heap, and may replace local memory. */
    uint64_t board_heap_bytes, board_local_memory_bytes;
    uint64_t second_heap, second_heap_bytes;
    uint64_t scratchpad; /* holds local_memory_bytes per hart; 0: none */

    arch_lock lock;                     /* guards the fields below */
    launch_queue *queues, *free_queues; /* queues with launches, the highest priority first; few:
                                         * one per priority and set of harts */
    launch_list running;                /* active launches with harts; at most one per hart */
    launch_list ended;
    launch *free; /* linked by `next` */
    uint32_t free_launches;
    stream *free_streams;
    stream_list failed;    /* streams without launches that are kept for their failure */
    stream_list advancing; /* streams with more launches to activate */
    held_streams released; /* streams whose launch that held them has ended */
    bool queues_short;     /* some of them wait until a launch queue is free */
    launch_kind *kind;     /* the latest one in `kinds` */
    uint64_t last_kind;    /* the highest number that any has had */
    /* With fewer free launches than this, one may follow another on its hart (schedule_follow)
     * without a look at everything else. Set by schedule_balance, and 0 from any other change on.
     * schedule_repeat looks at it before it takes the lock, and again under it. */
    uint32_t unattended;
    uint32_t completion_head; /* of the completion ring, as last seen */
    uint32_t session;         /* boot.session as last seen; hart 0 also reads it without the lock */
    bool serving;             /* the host's commands are served */
    bool leaving;             /* harts may be inside launches of a former host */
    bool abandoning;          /* … not all of which have been abandoned yet */
    bool clearing;            /* memory is being cleared for the next host */
    uint32_t clearing_harts;  /* harts clearing a piece, without the lock */
    hart_set saving;          /* harts that save a held launch's state, without the lock */
    uint32_t clearing_range;  /* range of the next piece to clear */
    uint64_t clearing_from;   /* … and its offset in that range */
    uint32_t next_abandoned;  /* index in known[] */
    hart_set idle;            /* harts waiting for work */
    hart_set preempting;      /* harts that are to leave their kernels */
    uint64_t turns;           /* source of launch.last_run */
    uint32_t commands_seen;   /* tail of the command ring when last served */
    uint32_t kills_seen;      /* ring index up to which kills have been looked for */
    /* A chain: launches of one kind that wait for one another stay in the ring until it is their
     * turn (service.c). */
    uint32_t left;       /* slots of it that stay in the ring, from its head on */
    uint32_t chain_end;  /* ring index up to which slots have been found to belong to it */
    uint64_t chain_kind; /* as which they have been validated */
    /* Where their words may begin, as far as is known; 0 bytes: nothing is. */
    uint64_t words_from, words_range;
    uint32_t chain_end_stream; /* of the last launch before chain_end */
    stream *chain;             /* its stream; NULL: that has ended */
    launch *moved;             /* in the bucket of a number that it had before; or NULL */
    uint32_t moved_as;         /* that number */
    uint32_t code_generation;  /* incremented by code loads */
    uint32_t next_fault;
    bool commands_wait;       /* commands wait in the ring for room here or in the completion
                               * ring */
    bool ring_host;           /* ring the host once the lock is released */
    bool long_command;        /* a hart serves a command without the lock */
    uint64_t heartbeat_ticks; /* heartbeat period; 0: none */
    uint64_t next_heartbeat;  /* NEVER: none */
    uint64_t suspend_ticks;   /* idle time after which a hart is suspended; 0: never */
    rvl_sampling sampling;
    uint64_t sample_ticks; /* sampling period of a hart; 0: sampling is off */
    const unit_driver *const *units;
    uint32_t unit_count;
    unit_job unit_jobs[RVL_MAX_UNITS]; /* each used by its unit's hart only */
    uint64_t preempt_ticks;            /* mean time between preemptions for tests; 0: none */
    uint32_t random;                   /* for them */
    uint32_t has_failed;               /* atomic: the state is CRASHED for good */

    arch_lock log_lock;
    arch_lock exchange_lock; /* RVL_ECALL_COMPARE_EXCHANGE */
    arch_machine arch;
    /* Under firmware.lock as well. What is above is within reach of a load's or store's offset. */
    launch_kind kinds[LAUNCH_KINDS];
    stream *streams[STREAM_BUCKETS]; /* by number */
    launch *known[LAUNCH_BUCKETS];   /* waiting and active launches, by number */
    uint32_t failures[FAILURES];     /* numbers of launches that failed, at number % FAILURES */
    uint16_t failed_at[FAILURES];    /* … and when: turns >> FAILURE_TURNS */
    hart hart[MAX_HARTS];
    launch launch[MAX_LAUNCHES];
    launch_queue queue[MAX_QUEUES];
    stream stream[MAX_STREAMS];
} firmware;

#endif
