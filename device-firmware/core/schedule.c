/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides which hart works on which launch.
 *
 * Launches of a stream become active in order of arrival; one with a barrier once all earlier ones
 * of its stream have ended. A free hart enters the active launch with the fewest harts,
 * and among equals the one that has waited longest. balance.c makes harts leave
 * launches.
 *
 * Launches of a higher priority come first: harts take them before others, and leave the kernels of
 * others in the middle for them (`hold`). What a hart holds can only go on there, because stack and
 * local memory stay where they are; it does so once the hart finds nothing of a higher priority. A
 * hart holds at most one launch of each priority.
 *
 * All of this runs under the lock, so nothing iterates over all launches: lists are in the order in
 * which harts take from them, launches of each sub-device have lists of their own, and the
 * consequences of a barrier, a kill or the end of a host are handled in pieces (STEPS_AT_ONCE),
 * between which the lock is released.
 */
#include "device-firmware/core/schedule.h"

#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/cache.h"
#include "device-firmware/core/completion.h"
#include "device-firmware/core/hart_count.h"
#include "device-firmware/core/hart_set.h"
#include "device-firmware/core/known_launches.h"
#include "device-firmware/core/launch.h"
#include "device-firmware/core/launch_list.h"
#include "device-firmware/core/log.h"
#include "device-firmware/core/sample.h"
#include "device-firmware/core/seldom.h"
#include "device-firmware/core/stream.h"

/* The queue of launches of its priority and set of harts, or NULL if there are too many. */
static launch_queue *find_queue(firmware *f, const launch *launch) {
    const hart_set allowed = launch_harts(launch);
    const uint8_t priority = launch->priority;
    launch_queue *before = NULL, *queue = f->queues;
    for (; queue && queue->priority >= priority; before = queue, queue = queue->next)
        if (hart_sets_are_equal(queue->allowed, allowed) && queue->priority == priority)
            return queue;
    struct launch_queue *made = f->free_queues;
    if (!made)
        return NULL;
    f->free_queues = made->next;
    *made =
        (launch_queue){.next = queue, .previous = before, .allowed = allowed, .priority = priority};
    if (queue)
        queue->previous = made;
    return *(before ? &before->next : &f->queues) = made;
}

static void leave_queue(firmware *f, launch_queue *queue) {
    if (--queue->launches)
        return;
    f->queues_short = false;
    *(queue->previous ? &queue->previous->next : &f->queues) = queue->next;
    if (queue->next)
        queue->next->previous = queue->previous;
    queue->next = f->free_queues;
    f->free_queues = queue;
}

static void stream_enqueue(stream *stream, launch *launch) {
    launch->stream = stream;
    launch->predecessor_failed = stream->last_failed;
    stream->last_failed = false;
    stream->newest = launch;
}

static uint16_t now_in_turns(const firmware *f) { return (uint16_t)(f->turns >> FAILURE_TURNS); }

SELDOM static void remember_failure(firmware *f, uint32_t number) {
    f->failures[number % FAILURES] = number;
    f->failed_at[number % FAILURES] = now_in_turns(f);
}

/* As far as is remembered. After 2^32 launches, numbers start again: one that failed 2^31 turns ago
 * or more was another launch. */
static bool has_failed(const firmware *f, uint32_t number) {
    const uint32_t at = number % FAILURES;
    return f->failures[at] == number &&
           (uint16_t)(now_in_turns(f) - f->failed_at[at]) < 1u << (31 - FAILURE_TURNS);
}

/* `successor`: the next launch by the order of the ring, if it waits in the same stream. */
static void launch_finish(firmware *f, launch *launch, rvl_result result,
                          struct launch *successor) {
    stream *stream = launch->stream;
    launch->result = result;
    launch->ended = arch_time(f);
    if (!launch->queue) {
        launch->harts_ever = NO_HARTS;
        launch->instructions = 0;
    }
    if (hart_set_is_empty(launch->harts_ever))
        launch->begun = launch->ended;
    launch_append(&f->ended, launch);

    bool failed = result != RVL_RESULT_OK;
    if (failed && launch->session == f->session)
        remember_failure(f, launch->command.launch);
    if (failed && successor)
        successor->predecessor_failed = true;
    if (stream->newest == launch) {
        stream->newest = NULL;
        stream->last_failed = failed && launch->session == f->session;
    }
}

SELDOM static void log_refusal(firmware *f, const launch *launch, const char *flaw) {
    firmware_log(f, 0, "launch %u refused: %s", (unsigned)launch->command.launch, flaw);
}

static bool refused(firmware *f, const launch *launch, const char *flaw) {
    if (flaw)
        log_refusal(f, launch, flaw);
    return flaw != NULL;
}

static void advance_later(firmware *f, stream *stream) {
    if (!stream->advancing)
        stream_append(&f->advancing, stream);
    stream->advancing = true;
}

/* Whether all launches that it waits for have ended; otherwise one of them holds the stream. A
 * launch that is not known has ended. */
static bool wait_is_over(firmware *f, launch *launch) {
    rvl_wait *wait = &launch->wait;
    for (; wait->count; --wait->count) {
        const uint32_t index = wait->count - 1u, number = wait->launch[index];
        struct launch *awaited = launch_find(f, number);
        if (awaited) {
            launch_hold_stream(awaited, launch->stream);
            return false;
        }
        if ((wait->needs_success >> index & 1) && has_failed(f, number))
            wait->failed = 1;
    }
    return true;
}

static void leave_waiting(launch *launch) {
    launch_remove(&launch->stream->waiting, launch);
    launch->stream->activated = 0;
}

/* Activates the launches that barriers and waits allow, up to STEPS_AT_ONCE; `schedule_advance`
 * continues. */
static void advance(firmware *f, stream *stream) {
    int steps = 0;
    for (launch *launch; (launch = stream->waiting.first) != NULL;) {
        if ((launch->header.flags & RVL_FLAG_BARRIER) && stream->active)
            return;
        const bool skipped =
            (launch->header.flags & RVL_FLAG_ON_SUCCESS) && launch->predecessor_failed;
        if (launch_is_wait(launch)) {
            if (steps++ == STEPS_AT_ONCE) {
                advance_later(f, stream);
                return;
            }
            if (!wait_is_over(f, launch))
                return;
            leave_waiting(launch);
            launch_forget(f, launch);
            launch_finish(f, launch,
                          skipped || launch->wait.failed ? RVL_RESULT_SKIPPED : RVL_RESULT_OK,
                          stream->waiting.first);
            continue;
        }
        launch_queue *queue = NULL;
        if (steps++ == STEPS_AT_ONCE || !(queue = find_queue(f, launch))) {
            f->queues_short |= steps <= STEPS_AT_ONCE;
            advance_later(f, stream);
            return;
        }
        ++queue->launches;
        leave_waiting(launch);
        rvl_result result = RVL_RESULT_OK;
        if (skipped)
            result = RVL_RESULT_SKIPPED;
        else if (refused(f, launch, launch_read_record(f, launch)))
            result = RVL_RESULT_INVALID;
        if (result == RVL_RESULT_OK && launch->total_groups != 0) {
            launch_begin(f, launch);
            launch->harts_now = launch->harts_ever = NO_HARTS;
            launch->ran = launch->instructions = 0;
            launch->workers = launch->holders = 0;
            launch->starving = launch->parked = false;
            ++stream->active;
            stream->activated = launch_place_in_table(f, launch);
            launch->last_run = ++f->turns;
            launch->queue = queue;
            launch_append(&queue->fresh, launch);
        } else {
            leave_queue(f, queue);
            launch_forget(f, launch);
            launch_finish(f, launch, result, stream->waiting.first);
        }
    }
    stream_release_if_unused(f, stream);
}

bool schedule_advance(firmware *f) {
    stream *stream = f->released.first;
    if (stream) {
        f->released.first = stream->next_held;
        if (!f->released.first)
            f->released.last = NULL;
        stream->held = false;
        if (!stream->advancing)
            advance(f, stream);
    } else if ((stream = f->advancing.first) != NULL && !f->queues_short) {
        stream_remove(&f->advancing, stream);
        stream->advancing = false;
        advance(f, stream);
    }
    return f->released.first || (f->advancing.first && !f->queues_short);
}

/* The launch has already been removed from its list. */
static void end_active(firmware *f, launch *launch) {
    bool well = !load_relaxed(&launch->ending);
    launch_queue *queue = launch->queue;
    stream *stream = launch->stream;
    const bool is_latest = stream->activated == launch_place_in_table(f, launch);
    launch_write_back(f, launch);
    launch_forget(f, launch);
    if (is_latest)
        stream->activated = 0;
    launch_finish(f, launch, well ? RVL_RESULT_OK : launch->result,
                  is_latest ? stream->waiting.first : NULL);
    --stream->active;
    advance(f, stream); /* may activate more launches of the same queue */
    leave_queue(f, queue);
}

void schedule_add(firmware *f, rvl_header header, const rvl_slot *slot, bool may_be_of_kind) {
    launch *launch = f->free;
    f->free = launch->next;
    --f->free_launches;
    const bool accepted =
        !refused(f, launch, launch_accept(f, launch, header, slot, may_be_of_kind));
    stream *stream = stream_find(f, launch->command.stream);
    stream_enqueue(stream, launch);
    f->chain = stream;
    if (!accepted) {
        launch_finish(f, launch, RVL_RESULT_INVALID, NULL);
        stream_release_if_unused(f, stream);
        return;
    }
    launch_remember(f, launch);
    launch_append(&stream->waiting, launch);
    /* A stream that is advancing goes on in schedule_advance. If it advanced here, too, each
     * command of a full ring would add up to STEPS_AT_ONCE steps to the same lock hold. */
    if ((!stream->active || !(launch->header.flags & RVL_FLAG_BARRIER)) && !stream->advancing)
        advance(f, stream);
}

/* Takes a launch that no hart works on out of its list. */
static void take_out(launch *launch) {
    if (launch->parked)
        launch->parked = false;
    else
        launch_remove(hart_set_is_empty(launch->harts_ever) ? &launch->queue->fresh
                                                            : &launch->queue->ready,
                      launch);
}

/* The harts that hold the launch will not go on with it. */
SELDOM static void drop_held(firmware *f, launch *launch) {
    if (!launch->holders)
        return;
    FOR_ALL_HARTS(f, hart)
    for (uint32_t level = 0; level < hart->levels; ++level)
        if (hart->held[level].launch == launch) {
            hart->held[level].launch = NULL;
            launch->instructions += hart->held[level].instructions;
        }
    launch->holders = 0;
}

/* Ends an active launch that has failed, exceeded its time limit or been killed. Harts inside it
 * are interrupted and leave on their own, because a kernel can't be stopped from another hart;
 * the last of them ends the launch. Without any, it ends right here. Only the first reason
 * counts. */
SELDOM void schedule_end_early(firmware *f, launch *launch, rvl_result result, uint32_t fault) {
    if (load_relaxed(&launch->ending))
        return;
    launch->result = result;
    launch->fault = fault;
    store_release(&launch->ending, 1);
    launch_set_yield(launch, 1);
    drop_held(f, launch);
    FOR_EACH_HART(f, hart, launch->harts_now)
    arch_interrupt(f, hart);
    if (!launch->workers) {
        take_out(launch);
        end_active(f, launch);
    }
}

static void drop_waiting(firmware *f, launch *launch) {
    stream *stream = launch->stream;
    launch_remove(&stream->waiting, launch);
    launch_forget(f, launch);
    launch_free(f, launch);
    if (stream->newest == launch)
        stream->newest = NULL;
    stream_release_if_unused(f, stream);
}

static void abandon(firmware *f, launch *launch) {
    if (launch->queue)
        schedule_end_early(f, launch, RVL_RESULT_KILLED, RVL_FAULT_NONE);
    else
        drop_waiting(f, launch);
}

/* Called repeatedly after a host has gone. It resumes at next_abandoned, so the cost of one lock
 * hold is bounded by STEPS_AT_ONCE plus one pass over the buckets, however many launches the
 * host left. */
SELDOM bool schedule_abandon(firmware *f) {
    for (int steps = 0; f->failed.first; stream_forget_a_failure(f))
        if (steps++ == STEPS_AT_ONCE)
            return false;
    for (int steps = 0; f->next_abandoned < LAUNCH_BUCKETS; ++f->next_abandoned)
        for (launch *launch = f->known[f->next_abandoned], *next; launch; launch = next) {
            next = launch->next_known;
            if (load_relaxed(&launch->ending))
                continue; /* waits for the harts that are still inside */
            if (steps++ == STEPS_AT_ONCE)
                return false;
            abandon(f, launch);
        }
    return true;
}

SELDOM bool schedule_kill(firmware *f, uint32_t number) {
    launch *launch = launch_find(f, number);
    if (!launch)
        return false;
    if (launch->queue) {
        schedule_end_early(f, launch, RVL_RESULT_KILLED, RVL_FAULT_NONE);
        return true;
    }
    stream *stream = launch->stream;
    struct launch *successor = launch->next;
    launch_remove(&stream->waiting, launch);
    launch_forget(f, launch);
    launch_finish(f, launch, RVL_RESULT_KILLED, successor);
    advance(f, stream);
    return true;
}

static void take_from_launch(firmware *f, hart *hart) {
    launch *launch = hart->launch;
    hart->launch = NULL;
    if (f->sample_ticks)
        sample_leave(f, hart);
    hart_set_remove(&launch->harts_now, hart);
    --launch->workers;
    launch->last_run = ++f->turns;
    if (launch->workers)
        return;
    launch->ran += arch_time(f) - launch->since;
    launch_remove(&f->running, launch);
}

/* For a launch that no hart works on and that has not ended. */
static void put_back(launch *launch) {
    launch->parked = launch->holders && !launch_groups_left(launch);
    if (!launch->parked)
        launch_append(&launch->queue->ready, launch);
}

/* Takes the hart out of its launch, under the lock. The launch ends here if this was the last
 * hart and no groups are left; otherwise it becomes ready again, behind all launches that have
 * waited longer. */
void schedule_leave(firmware *f, hart *hart) {
    launch *launch = hart->launch;
    take_from_launch(f, hart);
    bool ends = !launch->workers && !launch->holders && !launch_groups_left(launch);
    hart_count_leaving(hart, launch, ends && !load_relaxed(&launch->ending));
    CLEAN_FOR_HOST(f, *hart->statistics);
    if (ends)
        end_active(f, launch);
    else if (!launch->workers)
        put_back(launch);
}

SELDOM void schedule_hold(firmware *f, hart *hart) {
    launch *launch = hart->launch;
    const uint64_t end = launch_memory_end_below(f, hart);
    firmware_assert(f, hart->levels < HELD_LEVELS);
    if (ARCH_HAS_COPIES)
        arch_hold_copy(hart);
    hart->held[hart->levels++] = (held_launch){
        .launch = launch,
        .instructions = hart->instructions,
        .since = arch_time(f),
        .registers = end,
        .memory_end = hart->memory_end,
        .stack_limit = hart->stack_limit,
        .used_from = hart->used_from < end ? hart->used_from : end,
        .local_bytes = launch_shared_local_bytes(f, launch),
        .context = hart->context,
        .session = hart->session,
        .mixed = hart->mixed,
    };
    hart->memory_end = end;
    hart_set_remove(&f->preempting, hart);
    hart_set_add(&f->saving, hart);
    take_from_launch(f, hart);
    ++launch->holders;
    if (!launch->workers)
        put_back(launch);
}

/* The hart's memory belongs to the innermost launch that it holds again. */
SELDOM static void leave_level(hart *hart) {
    const held_launch *held = &hart->held[--hart->levels];
    hart->mixed = held->mixed || hart->context != held->context || hart->session != held->session;
    hart->context = held->context;
    hart->session = held->session;
    if (hart->used_from > held->used_from)
        hart->used_from = held->used_from;
    hart->memory_end = held->memory_end;
    hart->stack_limit = held->stack_limit;
}

static held_launch *innermost_held(hart *hart) {
    return hart->levels ? &hart->held[hart->levels - 1] : NULL;
}

static bool may_enter(const firmware *f, const hart *hart, const launch *launch) {
    return !hart->levels || launch_fits(f, hart, launch, hart->memory_end);
}

/* Looks at a few only, so that the lock is not held for long. */
static launch *first_to_enter(const firmware *f, const hart *hart, const launch_list *list) {
    launch *launch = list->first;
    for (int steps = 1; launch && !may_enter(f, hart, launch); launch = launch->next)
        if (steps++ == STEPS_AT_ONCE)
            return NULL;
    return launch;
}

/* Of the launches without harts that this hart may work on, the one that has waited longest among
 * those of the highest priority, from `least` on. It may have no groups left, because kernels can
 * write to the words of other launches of their context; the hart then finds out after it has
 * entered. */
static launch *longest_waiting(const firmware *f, const hart *hart, uint8_t least) {
    launch *best = NULL;
    for (const launch_queue *queue = f->queues; queue && queue->priority >= least;
         queue = queue->next) {
        if (!hart_set_has(queue->allowed, hart))
            continue;
        launch *ready = first_to_enter(f, hart, &queue->ready);
        launch *fresh = first_to_enter(f, hart, &queue->fresh);
        if (ready && (!best || ready->last_run < best->last_run))
            best = ready;
        if (fresh && (!best || fresh->last_run < best->last_run))
            best = fresh;
        if (best)
            least = best->priority;
    }
    return best;
}

static bool comes_before(const launch *a, const launch *b) {
    if (a->priority != b->priority)
        return a->priority > b->priority;
    return a->workers < b->workers || (a->workers == b->workers && a->last_run < b->last_run);
}

/* Of the running launches that the hart may join, the one with the fewest harts among those of the
 * highest priority, from `least` on. */
static launch *fewest_harts(firmware *f, const hart *hart, uint8_t least) {
    launch *best = NULL;
    for (launch *launch = f->running.first; launch; launch = launch->next)
        if (launch->priority >= least && hart_set_has(launch_harts(launch), hart) &&
            launch_groups_left(launch) && (!best || comes_before(launch, best)) &&
            may_enter(f, hart, launch))
            best = launch;
    return best;
}

static uint64_t random_below(firmware *f, uint64_t limit) {
    f->random = f->random * 1664525 + 1013904223;
    return (f->random >> 16) * limit >> 16;
}

/* The launch that the hart should work on next, and whether it holds it. */
__attribute__((noinline)) static launch *choose(firmware *f, hart *hart) {
    const held_launch *held;
    while ((held = innermost_held(hart)) != NULL && !held->launch) {
        hart->statistics->instructions += held->instructions;
        leave_level(hart);
    }
    const uint8_t least = held ? held->launch->priority + 1 : 0;
    launch *waiting = longest_waiting(f, hart, least);
    launch *running = fewest_harts(f, hart, waiting ? waiting->priority + 1 : least);
    launch *best = running ? running : waiting;
    hart->resumes = !best && held;
    return hart->resumes ? held->launch : best;
}

/* Until then, the kernel has at least as much time as it took to leave and resume it: otherwise a
 * kernel on a slow machine would never go on. */
SELDOM static void plan_preemption(firmware *f, hart *hart, uint64_t now) {
    const uint64_t since = hart->resumes ? innermost_held(hart)->since : now;
    hart->next_preemption = now + 2 * (now - since) + random_below(f, 2 * f->preempt_ticks);
}

launch *schedule_enter(firmware *f, hart *hart) {
    launch *best = choose(f, hart);
    if (!best)
        return NULL;
    if (!best->workers) {
        take_out(best);
        launch_append(&f->running, best);
    }
    uint64_t now = arch_time(f);
    if (hart_set_is_empty(best->harts_ever))
        best->begun = now;
    if (!best->workers)
        best->since = now;
    hart_set_add(&best->harts_now, hart);
    ++best->workers;
    hart_set_add(&best->harts_ever, hart);
    best->last_run = ++f->turns;
    best->alarm = launch_deadline(f, best);
    hart->launch = best;
    hart->instructions = 0;
    if (f->preempt_ticks)
        plan_preemption(f, hart, now);
    if (hart->resumes) {
        --best->holders;
        leave_level(hart);
        hart->instructions = hart->held[hart->levels].instructions;
    } else {
        launch_place(f, hart, best);
    }
    if (f->sample_ticks)
        sample_enter(f, hart, now);
    hart_count_entering(hart, best, now);
    CLEAN_FOR_HOST(f, *hart->statistics);
    return best;
}
