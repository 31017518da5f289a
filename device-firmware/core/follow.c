/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways from a launch to the next one that need no decision: a hart that alone finishes the only
 * active launch goes on with what follows it in its stream, or in the only stream that waits for
 * it.
 *
 * In a chain, the next launch is still in the ring (service.c). If it is of the same kind, for the
 * same kernel and with the same memory of the hart, it takes the place of the finished one, so that
 * it is entered into no list (schedule_repeat). Everything that host or kernels could have changed
 * since the last launch is checked there as elsewhere. */
#include "device-firmware/core/arch.h"
#include "device-firmware/core/cache.h"
#include "device-firmware/core/completion.h"
#include "device-firmware/core/hart_count.h"
#include "device-firmware/core/hart_set.h"
#include "device-firmware/core/known_launches.h"
#include "device-firmware/core/launch.h"
#include "device-firmware/core/launch_list.h"
#include "device-firmware/core/lock.h"
#include "device-firmware/core/schedule.h"
#include "device-firmware/core/seldom.h"
#include "device-firmware/core/service.h"
#include "device-firmware/core/stream.h"

/* Work-groups, and no harts that wait while there is more than this hart's share. */
static bool has_work_for_one(const firmware *f, const launch *launch, uint32_t total_groups,
                             uint32_t chunk) {
    return total_groups && !(total_groups > chunk && hart_sets_meet(f->idle, launch_harts(launch)));
}

/* The wait at the head of the only stream that waits for `done`, if it succeeds with it. */
static launch *wait_over_after(const launch *done) {
    const stream *held = done->holds.first;
    launch *wait = held->waiting.first;
    const bool over = held == done->holds.last && !held->active && !held->advancing && wait &&
                      launch_is_wait(wait) && wait->wait.count == 1 && !wait->wait.failed &&
                      wait->wait.launch[0] == done->command.launch && !wait->holds.first &&
                      !wait->predecessor_failed;
    return over ? wait : NULL;
}

/* The launch that the stream of a finished one has to wait for next, if it has nothing else. Not
 * the wait that ends with it. */
SELDOM static launch *awaited_behind(firmware *f, const launch *done, const launch *wait) {
    const launch *own = done->stream->waiting.first;
    const bool waits = own && launch_is_wait(own) && own->wait.count;
    launch *awaited = waits ? launch_find(f, own->wait.launch[own->wait.count - 1]) : NULL;
    return awaited != done && awaited != wait ? awaited : NULL;
}

/* If the finished launch holds streams: the wait behind which a launch can be started without a
 * decision, because nothing else can go on; or NULL. */
static launch *find_crossing(firmware *f, const launch *done) {
    launch *wait = wait_over_after(done);
    if (!wait || (done->stream->waiting.first && !awaited_behind(f, done, wait)))
        return NULL;
    return wait;
}

/* Leaves the finished launch's stream for the one that waited for it. */
static void change_streams(firmware *f, launch *done, launch *wait) {
    stream *from = done->stream, *to = wait->stream;
    launch *awaited = awaited_behind(f, done, wait);
    done->holds.first = NULL;
    to->held = false;
    launch_remove(&to->waiting, wait);
    launch_forget(f, wait);
    launch_free(f, wait);
    --from->active;
    ++to->active;
    if (awaited)
        launch_hold_stream(awaited, from);
    if (from->newest == done)
        from->newest = NULL;
    stream_release_if_unused(f, from);
}

/* The hart keeps its alarm unless the launch's time limit needs an earlier one: an alarm that comes
 * too early only looks at everything. */
ALWAYS_INLINE static inline void begin(firmware *f, hart *hart, launch *launch, uint64_t now,
                                       bool noncoherent) {
    launch->harts_ever = launch->harts_now;
    launch->ran = launch->instructions = 0;
    launch->last_run = ++f->turns;
    launch->begun = launch->since = now;
    launch->alarm = launch_deadline(f, launch);
    if (launch->alarm < hart->alarm)
        arch_set_alarm(f, hart, launch->alarm);
    hart->instructions = 0;
    hart_count_entering(hart, launch, now);
    if (noncoherent)
        CLEAN_FOR_HOST(f, *hart->statistics);
}

/* The launch that comes next by the streams' lists, or NULL; and the wait in front of it. */
static launch *find_waiting(firmware *f, const launch *done, launch **wait) {
    const stream *stream = done->stream;
    if (KEEPS_CHAINS && f->left && f->chain == stream && !stream->waiting.first)
        service_take_left(f);
    launch *next = stream->waiting.first;
    if (done->holds.first) {
        *wait = find_crossing(f, done);
        next = *wait ? (*wait)->next : NULL;
    }
    return next && next->kind == done->kind && !next->predecessor_failed ? next : NULL;
}

/* Commands that arrive interrupt the kernel: hart 0 has asked for a bell. */
SELDOM launch *schedule_follow(firmware *f, hart *hart) {
    launch *done = hart->launch, *wait = NULL;
    const bool silent = done->header.flags & RVL_FLAG_SILENT;
    if (f->free_launches >= f->unattended || launch_groups_left(done) ||
        (!silent && !completion_room(f)))
        return NULL;
    launch *next = find_waiting(f, done, &wait);
    if (!next || launch_read_record(f, next) ||
        !has_work_for_one(f, next, next->total_groups, next->chunk))
        return NULL;
    const uint64_t now = arch_time(f);
    if (wait)
        change_streams(f, done, wait);
    hart_count_leaving(hart, done, true);
    done->ended = now;
    launch_forget(f, done);
    launch_write_back(f, done);
    if (!silent)
        completion_write(f, done);
    launch_free(f, done);
    launch_remove_first(&next->stream->waiting);
    next->stream->activated = launch_place_in_table(f, next);
    next->next = next->previous = NULL;
    f->running.first = f->running.last = next;
    next->queue = f->queues;
    next->harts_now = hart_set_of(hart);
    next->workers = 1;
    next->holders = 0;
    next->parked = next->starving = false;
    if (next->counters)
        store_relaxed(&f->unattended, 0);
    hart->launch = next;
    launch_begin(f, next);
    launch_place(f, hart, next);
    begin(f, hart, next, now, f->noncoherent);
    return next;
}

ALWAYS_INLINE static inline const rvl_slot *slot_at(firmware *f, uint32_t index, bool noncoherent) {
    const rvl_slot *slot = &f->shared->commands[index % COMMAND_SLOTS];
    if (noncoherent)
        INVALIDATE_FOR_DEVICE(f, *slot);
    return slot;
}

/* The stream of a wait in the ring that is over with `done`; NO_STREAM if it is none. */
#define NO_STREAM UINT64_MAX
SELDOM static uint64_t stream_behind(const firmware *f, const launch *done, const rvl_slot *slot) {
    if (f->left < 2 || !service_is_wait_for(slot, done->command.launch) || done->stream->held)
        return NO_STREAM;
    return slot->wait.stream;
}

/* Has the finished launch leave its stream for the one of the next launch, if that is possible. */
SELDOM static bool change_stream(firmware *f, launch *done, uint32_t stream) {
    if (stream != done->command.stream && !stream_rename(f, done->stream, stream))
        return false;
    done->command.stream = stream;
    return true;
}

/* The next launch's command, wherever it is. */
typedef struct source {
    rvl_header header;
    uint32_t number, time_limit;
    uint32_t stream; /* if it has two slots */
    uint32_t head;   /* of the ring */
    uint32_t slots;  /* in the ring, with the wait in front of it; 0: it is in the stream's list */
    uint64_t record;
} source;

/* Whether what stays in the ring waits for this launch, and is of its kind. */
static inline bool is_ahead_of_ring(const firmware *f, const launch *done) {
    return f->left && f->chain && f->chain->newest == done && done->kind == f->chain_kind;
}

static inline bool read_in_ring(firmware *f, const launch *done, source *next, bool noncoherent) {
    const uint32_t head = next->head = *f->words.command_head;
    const rvl_slot *slot = slot_at(f, head, noncoherent);
    next->slots = 1;
    next->header = slot->header;
    read_once();
    if (next->header.service != RVL_LAUNCH_NDRANGE) {
        const uint64_t stream = stream_behind(f, done, slot);
        if (stream == NO_STREAM)
            return false;
        next->stream = (uint32_t)stream;
        next->slots = 2;
        slot = slot_at(f, head + 1, noncoherent);
        next->header = slot->header;
        read_once();
        if (next->header.service != RVL_LAUNCH_NDRANGE)
            return false;
    }
    next->number = slot->launch.launch;
    next->time_limit = slot->launch.time_limit;
    next->record = slot->launch.record;
    read_once();
    return next->number;
}

static inline bool read_waiting(const launch *done, source *next) {
    const launch *waiting = done->stream->waiting.first;
    if (!waiting)
        return false;
    next->header = waiting->header;
    next->number = waiting->command.launch;
    next->time_limit = waiting->command.time_limit;
    next->slots = 0;
    next->record = waiting->command.record;
    return waiting->kind == done->kind && !waiting->predecessor_failed;
}

/* The launch that takes its place takes over the streams that wait for it, and is now the latest
 * one that has left the list; as the first of a chain in the ring, it is that already. */
SELDOM static void remove_waiting(firmware *f, launch *launch) {
    stream *stream = launch->stream;
    struct launch *waiting = stream->waiting.first;
    launch_remove_first(&stream->waiting);
    if (stream->newest == waiting)
        stream->newest = launch;
    launch->holds = waiting->holds;
    waiting->holds.first = NULL;
    stream->activated = launch_place_in_table(f, launch);
    launch_forget(f, waiting);
    launch_free(f, waiting);
}

/* For a launch of another kernel, or with other memory of the hart. A free launch is at hand. */
SELDOM static const launch *read_other(const firmware *f, const launch *done, uint64_t record,
                                       launch_repeat *work) {
    launch *other = f->free;
    if (!other || record % RVL_PAGE_BYTES != 0 || record - done->code >= launch_code_bytes(done))
        return NULL;
    other->command = done->command;
    other->command.record = record;
    other->arena = done->arena;
    other->code = done->code;
    if (launch_read_record(f, other) || other->counters)
        return NULL;
    *work = (launch_repeat){other->words, pair_of(&other->total_groups)};
    return other;
}

SELDOM static void take_kernel(const firmware *f, hart *hart, launch *launch,
                               const struct launch *other) {
    launch->start = other->start;
    launch->kernel = other->kernel;
    launch->image_base = other->image_base;
    launch->local_bytes = other->local_bytes;
    launch->saved_bytes = other->saved_bytes;
    launch->stack_bytes = other->stack_bytes;
    launch->argument_bytes = other->argument_bytes;
    launch->data = other->data;
    launch->data_bytes = other->data_bytes;
    launch_place(f, hart, launch);
}

static uint64_t time_now(const firmware *f) {
    uint64_t now;
    return arch_time_at_hand(&f->arch, &now) ? now : arch_time(f);
}

/* Reports a launch that has ended well. In words: fewer stores. */
ALWAYS_INLINE static inline bool report(firmware *f, uint32_t tail, const launch *launch,
                                        uint64_t instructions, uint64_t now, bool noncoherent) {
    rvl_slot *slot = completion_slot_at(f, tail);
    rvl_completion *completion = &slot->completion;
    const rvl_header header = {RVL_GROUP_LAUNCH, RVL_LAUNCH_NDRANGE, RVL_FLAG_COMPLETION,
                               sizeof *completion, 0};
    const word token = launch->header.token;
    *(word *)&slot->header = header_bits(header) | token << 8 * offsetof(rvl_header, token);
    *(word *)&completion->launch = launch->command.launch | (word)RVL_RESULT_OK << 32;
    completion->start = launch->begun;
    completion->end = now;
    completion->instructions = instructions;
    completion->harts = launch->harts_ever.word[0];
    *(word *)&completion->fault = RVL_FAULT_NONE;
    return noncoherent ? completion_publish_noncoherent(f, tail)
                       : completion_publish_as(f, tail, false);
}

/* As far as can be told without a look at the host's word. One slot is for the long command. */
static inline bool has_slot(const firmware *f, uint32_t tail) {
    return tail - f->completion_head < COMPLETION_SLOTS - 1;
}

/* Under the lock. The launch has not been ended early: then nothing is unattended. */
static inline schedule_repeated repeat(firmware *f, hart *hart, launch *launch, bool *rings) {
    const bool silent = launch->header.flags & RVL_FLAG_SILENT;
    const bool noncoherent = f->noncoherent;
    const uint32_t tail = *f->words.completion_tail;
    source next;
    launch_repeat work;
    const struct launch *other = NULL;
    if (f->free_launches >= f->unattended || launch->holds.first || launch_groups_left(launch) ||
        (!silent && !has_slot(f, tail) && !completion_room(f)) ||
        !(is_ahead_of_ring(f, launch) ? read_in_ring(f, launch, &next, noncoherent)
                                      : read_waiting(launch, &next)) ||
        (!launch_repeats(f, next.record, launch, next.slots, noncoherent, &work) &&
         !(other = read_other(f, launch, next.record, &work))) ||
        !has_work_for_one(f, launch, (uint32_t)work.groups, (uint32_t)(work.groups >> 32)) ||
        (next.slots == 2 && !change_stream(f, launch, next.stream)))
        return NOT_REPEATED;
    const uint64_t now = time_now(f);
    const uint64_t instructions = hart_count_launch(hart, launch, true);
    if (noncoherent)
        CLEAN_FOR_HOST(f, *launch->words);
    if (!silent)
        *rings = report(f, tail, launch, instructions, now, noncoherent);
    if (next.slots) {
        f->left -= next.slots;
        service_free_commands_as(f, next.head + next.slots, noncoherent);
    } else {
        remove_waiting(f, launch);
    }
    launch_renumber(f, launch);
    launch->header = next.header;
    launch->command.launch = next.number;
    launch->command.record = next.record;
    launch->command.time_limit = next.time_limit;
    if (other)
        take_kernel(f, hart, launch, other);
    launch->words = work.words;
    *(word *)&launch->total_groups = work.groups;
    launch->yield = 0;
    if (noncoherent)
        INVALIDATE_FOR_DEVICE(f, *launch->words);
    launch_clear_words(launch);
    begin(f, hart, launch, now, noncoherent);
    return other ? REPEATED_BY_ANOTHER_KERNEL : REPEATED;
}

/* Nothing but `report` asks for a bell. */
ALWAYS_INLINE schedule_repeated schedule_repeat(firmware *f, hart *hart) {
    if (!KEEPS_CHAINS || !load_relaxed(&f->unattended))
        return NOT_REPEATED;
    bool rings = false;
    arch_lock_take(&f->lock);
    const schedule_repeated repeated = repeat(f, hart, hart->launch, &rings);
    arch_lock_release(&f->lock);
    if (rings)
        arch_ring_host(f);
    return repeated;
}

/* Whether the only active launch has one hart, holds none, and nothing else is to be done. Commands
 * that wait for free launches are served once there are some. */
uint32_t schedule_unattended(const firmware *f) {
    const launch_queue *queue = f->queues;
    const launch *launch = f->running.first;
    if (!queue || queue->next || queue->launches != 1 || !launch || launch->workers != 1 ||
        launch->holders || launch->counters || load_relaxed(&launch->ending) || f->leaving ||
        f->sample_ticks || f->ended.first || f->advancing.first || f->released.first)
        return 0;
    const hart *hart = f->hart;
    while (hart->launch != launch)
        ++hart;
    if (hart->levels || hart->code_generation != f->code_generation)
        return 0;
    return f->commands_wait ? STEPS_AT_ONCE : UINT32_MAX;
}
