/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything that the firmware knows, in one struct: there is no other state, so that a device is
 * one object and several can live in one process (arch/host).
 *
 *   host ──► command ring ──► service.c ──► stream ──► active launches ◄── schedule.c ◄── harts
 *                                 │            (waits for barriers)            │
 *   host ◄── completion ring ◄────┴───────────── ended launches ◄──────────────┘
 *
 * One lock guards all of it but the harts' own fields; it is never held while a kernel runs. What a
 * hart wrote before it released the lock, to memory and to devices (alarms of other harts), comes
 * before what the next holder writes and is seen by what it reads: so a launch's results are there
 * for the next launch and, by the release of the completion ring's tail, for the host. A hart that
 * goes to sleep says so, does a full fence and looks once more for work; who has work for it stores
 * the word, does a full fence and looks whether it sleeps. Each place bears a comment "order:
 * NAME", by which tests/ordering reads from here what it checks on weak memory.
 */
#ifndef RIVULET_FIRMWARE_H
#define RIVULET_FIRMWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch_state.h" /* arch_hart, arch_machine, arch_lock: of the architecture built for */
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
    MAX_LAUNCHES = 960, /* known to the firmware at a time; more of them wait in the ring */
    MAX_STREAMS = MAX_LAUNCHES + 64,
    LOG_LINE = 200,
    MAX_QUEUES = 64, /* sets of harts that have active launches at a time */
    STREAM_BUCKETS = 256,
    LAUNCH_BUCKETS = 256,
    /* So much is done in one go under the lock, where there may be more to do. */
    STEPS_AT_ONCE = 16,
};
#define NEVER UINT64_MAX

/* The mailbox and everything that it points to, as it lies in memory: the host writes to the
 * commands and to some of the mailbox's blocks, the device to all others. */
typedef struct shared_memory {
    rvl_mailbox mailbox;
    rvl_slot commands[COMMAND_SLOTS];
    rvl_slot completions[COMPLETION_SLOTS];
    rvl_fault faults[FAULT_SLOTS];
    rvl_hart_statistics statistics[RVL_MAX_HARTS];
    rvl_crash crash;
    char log[LOG_BYTES];
    rvl_crash_hart crash_harts[RVL_MAX_HARTS];
} shared_memory;
_Static_assert(offsetof(shared_memory, commands) % RVL_LARGEST_CACHE_BLOCK == 0 &&
                   offsetof(shared_memory, completions) % RVL_LARGEST_CACHE_BLOCK == 0,
               "what host and device write lies on blocks of its own");

typedef struct launch_list {
    struct launch *first, *last;
} launch_list;

/* Launches in order of arrival, as far as barriers ask for it. One whose last launch failed is
 * remembered, as long as there is room, for a launch that runs on success only. */
typedef struct stream {
    struct stream *next;                      /* of its bucket, or of the free */
    struct stream *list_next, *list_previous; /* of the failed or the advancing */
    launch_list waiting;
    struct launch *newest; /* NULL when that has ended      */
    uint32_t number;
    uint16_t active;
    bool last_failed; /* the newest ended, and not well */
    bool advancing;   /* on the list of those that have more to make active */
} stream;

typedef struct stream_list {
    stream *first, *last;
} stream_list;

/* Active launches without harts that the same harts may work on, those of a sub-device: so nobody
 * has to pass over launches of other sub-devices. */
typedef struct launch_queue {
    struct launch_queue *next, *previous;
    uint64_t allowed;
    launch_list fresh;               /* no hart has worked on them yet, */
    launch_list ready;               /* … or some have; both by last_run */
    bool fresh_starve, ready_starve; /* there are more than harts to wake */
    uint32_t launches;               /* active ones, those with harts, too */
} launch_queue;

/* A launch, from its command to its completion. It is on one list at a time: its stream's waiting
 * launches, one of its queue's, those with harts, the ended ones whose completion is not written
 * yet, or the free. */
typedef struct launch {
    struct launch *next, *previous;
    struct launch *next_known; /* of its bucket, from when it waits until it ends */
    stream *stream;
    launch_queue *queue;      /* while it is active */
    struct launch *successor; /* the next one that came in its stream */
    rvl_header header;
    rvl_launch command; /* its hart_mask has been made that of harts which exist */
    uint64_t arena;
    uint64_t code; /* of the whole context, with the records */

    /* Copied from the record when it becomes active: kernels can write to those of older hosts. */
    uint64_t start, kernel, image_base;
    uint32_t total_groups, chunk, local_bytes, saved_bytes, stack_bytes, counters;
    rvl_launch_words *words;
    uint64_t counter_address[RVL_MAX_COUNTERS];
    uint8_t counter_bytes[RVL_MAX_COUNTERS];

    uint64_t harts_now;  /* harts that work on it now                               */
    uint64_t harts_ever; /* … or ever did                                           */
    uint64_t last_run;   /* the lower, the longer it was not worked on             */
    uint32_t session;    /* of another host than today's: nobody hears of its end  */
    bool predecessor_failed;
    bool has_data;   /* the record, which kernels can't write, says where */
    bool starving;   /* could use more harts than there are                     */
    uint8_t workers; /* how many harts_now are                         */
    uint32_t yield;  /* last value written to words->yield                      */
    uint32_t ending; /* atomic: all harts shall leave at once; result says why  */
    uint32_t result;
    uint32_t fault;
    uint64_t begun, ended; /* device time */
    uint64_t alarm;        /* of the harts inside */
    uint64_t since;        /* when `harts_now` became non-zero */
    uint64_t ran;          /* ticks with harts inside, before `since` */
    uint64_t instructions;
} launch;

typedef struct hart {
    struct firmware *firmware;
    uint32_t index;
    uint32_t id;     /* mhartid, for people */
    uint32_t kick;   /* atomic: look for work again               */
    uint32_t asleep; /* atomic: an interrupt is needed to see it  */
    uint32_t code_generation;
    uint32_t context;     /* whose data its memory and registers hold */
    uint32_t session;     /* … and which host's that context was      */
    uint64_t used_from;   /* lowest address of its memory that this context's kernels could write */
    uint64_t stack_limit; /* … that the kernel which it runs can write; launch_make_frame */
    bool coarse_stack;    /* what it can write there is a power of two of bytes */
    launch *launch;       /* that it works on */
    uint64_t alarm;       /* device time of its timer interrupt */
    uint64_t instructions; /* in this launch, since it entered   */
    uint64_t next_sample;  /* device time, while it is in a launch and samples are taken */
    uint64_t sample_left;  /* ticks in kernels until then, while it is in none */
    arch_hart arch;
} hart;

typedef struct firmware {
    shared_memory *shared;
    /* These point into the mailbox, or into its device_words. */
    struct {
        uint32_t *notify_enabled, *command_head, *completion_tail;
    } words;
    const char *board;
    const char *isa;
    uint8_t build_id[20];
    uint32_t harts;
    uint32_t vlen;
    uint32_t cache_block;
    bool has_cache_operations; /* arch_cache_… do something                    */
    bool noncoherent;          /* they are needed for what is shared; cache.h  */
    bool large_blocks;         /* … which has blocks above RVL_CACHE_BLOCK     */
    uint32_t pmp_entries;
    const char *flaw; /* why a hart can't fence kernels; NULL: all can, or it is not expected */
    uint32_t flawed_hart;
    const char *difference; /* of a hart from the others; kernels are built for all of them alike */
    uint32_t different_hart;
    const uint8_t *kernel_key; /* kernels must be signed with; NULL: they need not be */
    uint64_t timebase;
    uint64_t hart_memory; /* of hart 0; the next one's follows */
    uint64_t hart_memory_bytes;
    uint64_t local_memory_bytes;
    uint64_t heap, heap_bytes;
    uint64_t code, code_bytes; /* of the firmware, and its data                  */
    uint64_t boot, boot_bytes; /* the boot stage's memory; no bytes: there is none */
    rvl_update *update;        /* … with what it may be asked for; NULL: nothing */
    /* The board's own; regions.c takes from the heap, and may replace local memory. */
    uint64_t board_heap_bytes, board_local_memory_bytes;
    uint64_t second_heap, second_heap_bytes;
    uint64_t scratchpad; /* local_memory_bytes of it for each hart; 0: none */

    arch_lock lock;                     /* guards what follows */
    launch_queue *queues, *free_queues; /* those with launches; a few, one per set of harts */
    launch_list running; /* active launches with harts: no more than there are harts */
    launch_list ended, free;
    launch *known[LAUNCH_BUCKETS]; /* those that wait or are active, by number */
    uint32_t known_launches;
    stream *streams[STREAM_BUCKETS], *free_streams; /* by number                               */
    stream_list failed;       /* streams without launches, of which only the failure is known */
    stream_list advancing;    /* streams that have more to make active                        */
    bool queues_short;        /* … which wait until some set of harts has no active launch    */
    uint32_t session;         /* of the host: boot.session as last seen; hart 0 reads it anyway */
    bool serving;             /* the host's commands are taken             */
    bool leaving;             /* harts may be inside launches of a former host */
    bool abandoning;          /* … and some of them aren't abandoned yet       */
    bool clearing;            /* memory, for the next host                     */
    uint32_t clearing_harts;  /* … that are at a piece of it, without the lock */
    uint32_t clearing_range;  /* whose next piece is to be cleared, …          */
    uint64_t clearing_from;   /* … from this byte on                           */
    uint32_t next_abandoned;  /* of known[]                                    */
    uint64_t idle;            /* harts that wait for work              */
    uint64_t turns;           /* source of launch.last_run                 */
    uint32_t commands_seen;   /* tail of the command ring when last served */
    uint32_t kills_seen;      /* how far kills have been looked for in it  */
    uint32_t code_generation; /* counts code loads                    */
    uint32_t next_fault;
    bool commands_wait;       /* in the ring, for room in the firmware or among completions */
    bool ring_host;           /* once the lock is released */
    bool long_command;        /* a hart serves one, without the lock */
    uint64_t heartbeat_ticks; /* between two heartbeats; 0: none */
    uint64_t next_heartbeat;  /* NEVER: none */
    rvl_sampling sampling;
    uint64_t sample_ticks; /* between two samples of a hart; 0: none are taken */

    arch_lock log_lock;
    arch_lock exchange_lock; /* RVL_ECALL_COMPARE_EXCHANGE */
    arch_machine arch;
    hart hart[RVL_MAX_HARTS];
    launch launch[MAX_LAUNCHES];
    launch_queue queue[MAX_QUEUES];
    stream stream[MAX_STREAMS];
} firmware;

/* boot.c. The architecture fills in the fields above the lock, and firmware, index and alarm
 * (NEVER) of every hart; then one hart, any, calls `boot`, which returns false if the harts can't
 * work, and every hart `work`. */
bool firmware_boot(firmware *);
void firmware_enter_state(firmware *, rvl_state); /* and tells the host */
/* Fills in what the architecture doesn't know of the report, and tells the host. All other harts
 * have been stopped. */
void firmware_crash(firmware *, uint32_t hart_index, const char *why);

/* work.c. Returns when arch_stopping() says so. */
void firmware_work(firmware *, hart *);
/* Releases the lock; rings the host if there is news for it. */
void firmware_unlock(firmware *);
/* Lets others have the lock for a moment. */
void firmware_yield_lock(firmware *);
/* An interrupt while the hart runs a kernel. */
void firmware_interrupt(firmware *, hart *);
/* A trap of the kernel that the hart runs. The report's launch, hart, groups are filled in. */
void firmware_fault(firmware *, hart *, rvl_fault *);

/* log.c */
__attribute__((format(printf, 3, 4))) void firmware_log(firmware *, uint32_t hart,
                                                        const char *format, ...);

/* sample.c; under the lock. */
rvl_result sample_start(firmware *, const rvl_slot *);
void sample_stop(firmware *);
void sample_enter(firmware *, hart *, uint64_t now); /* while samples are taken */
void sample_leave(firmware *, hart *);
void sample_take(firmware *, hart *); /* if it is time for one */

/* session.c: hosts that come, leave, or vanish. */
void session_choose_words(firmware *);      /* by firmware.noncoherent */
void session_begin(firmware *);             /* at boot */
bool session_serve(firmware *);             /* under the lock; false: there is no host to serve */
bool session_is_changing(const firmware *); /* by the host; for hart 0, without the lock */
void session_enter(firmware *, rvl_state);  /* the host hears that it is served, or why not */

/* clear.c */
void clear_begin(firmware *);        /* then the host is served */
bool clear_some(firmware *, hart *); /* without the lock; true: there was some to clear */

/* service.c; under the lock. */
void service_commands(firmware *);
bool service_nothing_new(firmware *); /* … after it said that it wants a bell */

/* completion.c; under the lock. */
bool completion_room(const firmware *);
rvl_completion *completion_begin(firmware *, rvl_header command); /* to be filled in */
void completion_publish(firmware *);
bool completion_flush_ended(firmware *);
/* Writes completions of ended launches; true: there is room for more. */
static inline bool completion_flush(firmware *f) {
    return f->ended.first && completion_flush_ended(f);
}

/* launch.c; under the lock. */
static inline uint64_t launch_arena_bytes(const launch *launch) {
    return (uint64_t)launch->command.arena_pages * RVL_PAGE_BYTES;
}
/* The context's memory in the second heap; page numbers differ as addresses do. */
static inline uint64_t launch_second(const launch *launch) {
    const int32_t pages = (int32_t)(launch->command.second_page - launch->command.arena_page);
    return launch->arena + (uint64_t)((int64_t)pages * RVL_PAGE_BYTES);
}
static inline uint64_t launch_second_bytes(const launch *launch) {
    return (uint64_t)launch->command.second_pages * RVL_PAGE_BYTES;
}
static inline uint64_t launch_code_bytes(const launch *launch) {
    return (uint64_t)launch->command.code_pages * RVL_PAGE_BYTES;
}
static inline uint64_t launch_harts(const launch *launch) { /* that may take part */
    return launch->command.hart_mask;
}
bool launch_accept(firmware *, launch *, const rvl_slot *);
bool launch_prepare(firmware *, launch *);
rvl_hart_frame *launch_frame(const firmware *, const hart *, const launch *);
rvl_hart_frame *launch_make_frame(const firmware *, hart *, const launch *);
void launch_clear_hart(const firmware *, hart *, const launch *); /* of another context's data */
void launch_write_back(const firmware *, const launch *);         /* what the host reads of it */
uint64_t launch_deadline(const firmware *, const launch *);       /* of one with harts inside */
uint32_t launch_groups_left(const launch *);                      /* 0, too, if it shall end */
bool launch_within(uint64_t address, uint64_t bytes, uint64_t base, uint64_t base_bytes);
typedef struct memory_range {
    uint64_t from, to;
} memory_range;
memory_range launch_data(const launch *); /* of the image, among the code; writable */
/* M mode writes for a kernel only where the kernel might write itself. */
bool launch_may_write(const launch *, uint64_t address, uint64_t bytes);
/* regions.c */
enum { REGIONS_PMP_ENTRIES = 13 };
void regions_take(firmware *, const rvl_boot *); /* of this host; no kernel runs */
memory_range regions_local_memory(const firmware *, const hart *);
bool regions_hold(const firmware *, uint64_t address, uint64_t bytes); /* heap or second heap */
static inline void launch_append(launch_list *list, launch *launch) {
    launch->next = NULL;
    launch->previous = list->last;
    *(list->last ? &list->last->next : &list->first) = launch;
    list->last = launch;
}
static inline void launch_remove(launch_list *list, launch *launch) {
    *(launch->previous ? &launch->previous->next : &list->first) = launch->next;
    *(launch->next ? &launch->next->previous : &list->last) = launch->previous;
}

/* schedule.c; under the lock. */
void schedule_add(firmware *, const rvl_slot *);
bool schedule_kill(firmware *, uint32_t number);
void schedule_end_early(firmware *, launch *, rvl_result, uint32_t fault);
void schedule_leave(firmware *, hart *);
launch *schedule_enter(firmware *, hart *);
void schedule_balance(firmware *);
void schedule_wake_idle(firmware *);
bool schedule_advance(firmware *); /* streams that had more to make active; true: they still have */
/* Ends all launches, of which nobody hears any more, over several calls; true: that was all. */
bool schedule_abandon(firmware *);

#endif
