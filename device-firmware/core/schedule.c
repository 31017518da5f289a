/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides which hart works on which launch.
 *
 * Launches of a stream become active in order of arrival; one with a barrier when all earlier ones
 * of its stream have ended. A hart that is free enters the active launch with the fewest harts,
 * among equals the one that has waited longest. When all harts are busy, launches with more than
 * their share are asked to yield: their harts leave at the next chunk of work-groups, and choose
 * again. A launch that was worked on for less than a turn is left alone, though: it may be over
 * soon. A turn is short in favour of a launch that is new or that has clearly too few harts, and
 * long where harts merely change between launches because there are more of them than harts.
 *
 * All of this is under the lock, so no loop is over launches that merely wait for a hart: lists are
 * in the order in which harts take from them. Only launches that harts may not work on (of other
 * sub-devices) are passed over one by one.
 */
#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/cache.h"

enum { SHORT_TURN_US = 200, LONG_TURN_US = 2000, RETRY_US = 200 };

static uint64_t bit(const hart *hart) { return 1ull << hart->index; }

#define FOR_EACH_HART(f, hart_, mask)                                                              \
    for (hart *hart_ = (f)->hart; hart_ < (f)->hart + (f)->harts; ++hart_)                         \
        if ((mask) & bit(hart_))

static stream **bucket(firmware *f, uint32_t number) {
    return &f->streams[number % STREAM_BUCKETS];
}

static bool is_unused(const stream *stream) { return !stream->active && !stream->first_waiting; }

static void release_stream(firmware *f, stream *stream) {
    struct stream **link = bucket(f, stream->number);
    while (*link != stream)
        link = &(*link)->next;
    *link = stream->next;
    stream->next = f->free_streams;
    f->free_streams = stream;
}

/* Gives up the memory of an old failure: of the one after that which was given up last. */
static void forget_a_failure(firmware *f) {
    for (uint32_t i = 0; i < MAX_STREAMS; ++i) {
        stream *stream = &f->stream[f->next_forgotten++ % MAX_STREAMS];
        if (is_unused(stream)) {
            release_stream(f, stream);
            return;
        }
    }
}

static stream *find_stream(firmware *f, uint32_t number) {
    stream *stream = *bucket(f, number);
    while (stream && stream->number != number)
        stream = stream->next;
    if (stream)
        return stream;
    if (!f->free_streams)
        forget_a_failure(f); /* there is one: streams in use have a launch each */
    stream = f->free_streams;
    f->free_streams = stream->next;
    *stream = (struct stream){.next = *bucket(f, number), .number = number};
    return *bucket(f, number) = stream;
}

static void stream_enqueue(stream *stream, launch *launch) {
    launch->stream = stream;
    launch->predecessor_failed = stream->last_failed;
    stream->last_failed = false;
    if (stream->newest)
        stream->newest->successor = launch;
    stream->newest = launch;
}

static void launch_finish(firmware *f, launch *launch, rvl_result result) {
    stream *stream = launch->stream;
    launch->result = result;
    launch->ended = arch_time(f);
    if (!launch->harts_ever)
        launch->begun = launch->ended;
    launch_append(&f->ended, launch);

    bool failed = result != RVL_RESULT_OK;
    if (launch->successor)
        launch->successor->predecessor_failed = failed;
    if (stream->newest == launch) {
        stream->newest = NULL;
        stream->last_failed = failed;
    }
}

/* Makes active what its barriers allow. */
static void advance(firmware *f, stream *stream) {
    for (launch *launch; (launch = stream->first_waiting) != NULL;) {
        if ((launch->header.flags & RVL_FLAG_BARRIER) && stream->active)
            return;
        stream->first_waiting = launch->next;
        if (!launch->next)
            stream->last_waiting = NULL;
        if ((launch->header.flags & RVL_FLAG_ON_SUCCESS) && launch->predecessor_failed) {
            launch_finish(f, launch, RVL_RESULT_SKIPPED);
        } else if (!launch_prepare(f, launch)) {
            launch_finish(f, launch, RVL_RESULT_INVALID);
        } else if (launch->total_groups == 0) {
            launch_finish(f, launch, RVL_RESULT_OK);
        } else {
            ++stream->active;
            launch->last_run = ++f->turns;
            launch_append(&f->fresh, launch);
        }
    }
    if (is_unused(stream) && !stream->last_failed)
        release_stream(f, stream);
}

/* The launch is on no list any more. */
static void end_active(firmware *f, launch *launch) {
    bool well = !load_relaxed(&launch->ending);
    launch_write_back(f, launch);
    launch_finish(f, launch, well ? RVL_RESULT_OK : launch->result);
    --launch->stream->active;
    advance(f, launch->stream);
}

void schedule_add(firmware *f, const rvl_slot *slot) {
    launch *launch = f->free.first;
    launch_remove(&f->free, launch);
    bool accepted = launch_accept(f, launch, slot);
    stream *stream = find_stream(f, launch->command.stream);
    stream_enqueue(stream, launch);
    if (!accepted) {
        launch_finish(f, launch, RVL_RESULT_INVALID);
        return;
    }
    launch->next = NULL;
    if (stream->last_waiting)
        stream->last_waiting->next = launch;
    else
        stream->first_waiting = launch;
    stream->last_waiting = launch;
    advance(f, stream);
}

static void set_yield(launch *launch, uint32_t yield) {
    if (launch->yield != yield)
        store_relaxed(&launch->words->yield, launch->yield = yield);
}

void schedule_end_early(firmware *f, launch *launch, rvl_result result, uint32_t fault) {
    if (load_relaxed(&launch->ending))
        return;
    launch->result = result;
    launch->fault = fault;
    store_release(&launch->ending, 1);
    set_yield(launch, 1);
    FOR_EACH_HART(f, hart, launch->harts_now)
    arch_interrupt(f, hart);
    if (!launch->harts_now) {
        launch_remove(launch->harts_ever ? &f->ready : &f->fresh, launch);
        end_active(f, launch);
    }
}

static void drop_waiting(firmware *f, stream *stream) {
    for (launch *launch; (launch = stream->first_waiting) != NULL;) {
        stream->first_waiting = launch->next;
        launch_append(&f->free, launch);
    }
    stream->last_waiting = stream->newest = NULL;
    stream->last_failed = false;
}

static void abandon_active(firmware *f, const launch_list *list) {
    for (launch *launch = list->first, *next; launch; launch = next) {
        next = launch->next;
        launch->abandoned = true;
        launch->successor = NULL;
        schedule_end_early(f, launch, RVL_RESULT_KILLED, RVL_FAULT_NONE);
    }
}

void schedule_abandon(firmware *f) {
    sample_stop(f);
    for (uint32_t i = 0; i < STREAM_BUCKETS; ++i)
        for (stream *stream = f->streams[i], *next; stream; stream = next) {
            next = stream->next;
            drop_waiting(f, stream);
            if (is_unused(stream))
                release_stream(f, stream);
        }
    for (launch *launch = f->ended.first; launch; launch = launch->next)
        launch->abandoned = true;
    abandon_active(f, &f->running);
    abandon_active(f, &f->ready);
    abandon_active(f, &f->fresh);
}

static bool kill_waiting(firmware *f, stream *stream, uint32_t number) {
    launch *before = NULL;
    for (launch *launch = stream->first_waiting; launch; before = launch, launch = launch->next) {
        if (launch->command.launch != number)
            continue;
        *(before ? &before->next : &stream->first_waiting) = launch->next;
        if (stream->last_waiting == launch)
            stream->last_waiting = before;
        launch_finish(f, launch, RVL_RESULT_KILLED);
        advance(f, stream);
        return true;
    }
    return false;
}

static bool kill_active(firmware *f, const launch_list *list, uint32_t number) {
    launch *launch = list->first;
    while (launch && launch->command.launch != number)
        launch = launch->next;
    if (launch)
        schedule_end_early(f, launch, RVL_RESULT_KILLED, RVL_FAULT_NONE);
    return launch != NULL;
}

bool schedule_kill(firmware *f, uint32_t number) {
    if (kill_active(f, &f->running, number) || kill_active(f, &f->ready, number) ||
        kill_active(f, &f->fresh, number))
        return true;
    for (uint32_t i = 0; i < STREAM_BUCKETS; ++i)
        for (stream *stream = f->streams[i]; stream; stream = stream->next)
            if (kill_waiting(f, stream, number))
                return true;
    return false;
}

void schedule_leave(firmware *f, hart *hart) {
    launch *launch = hart->launch;
    hart->launch = NULL;
    if (f->sample_ticks)
        sample_leave(f, hart);
    launch->harts_now &= ~bit(hart);
    --launch->workers;
    launch->last_run = ++f->turns;
    launch->instructions += hart->instructions;
    rvl_hart_statistics *statistics = &f->shared->statistics[hart->index];
    ++statistics->launches;
    statistics->instructions += hart->instructions;
    bool ends = !launch->harts_now && !launch_groups_left(launch);
    if (ends && !load_relaxed(&launch->ending))
        statistics->groups += launch->total_groups;
    CLEAN_FOR_HOST(f, *statistics);
    if (launch->harts_now)
        return;
    launch->ran += arch_time(f) - launch->since;
    launch_remove(&f->running, launch);
    if (ends)
        end_active(f, launch);
    else
        launch_append(&f->ready, launch);
}

/* The first on the list that the hart may work on. Kernels can write to the words of other launches
 * of their context, so that one may have no groups left though no hart was there to see it end. */
static launch *first_allowed(firmware *f, launch_list *list, const hart *hart) {
    for (launch *launch = list->first; launch;) {
        struct launch *previous = launch->previous;
        if (!launch_groups_left(launch)) {
            launch_remove(list, launch);
            end_active(f, launch); /* which may append others */
            launch = previous ? previous->next : list->first;
        } else if (launch->command.hart_mask & bit(hart)) {
            return launch;
        } else {
            launch = launch->next;
        }
    }
    return NULL;
}

/* Finds the launch with the fewest harts among the running ones that the hart may join. */
static launch *fewest_harts(firmware *f, const hart *hart) {
    launch *best = NULL;
    for (launch *launch = f->running.first; launch; launch = launch->next) {
        if (!(launch->command.hart_mask & bit(hart)) || !launch_groups_left(launch))
            continue;
        uint32_t harts = launch->workers, least = best ? best->workers : 0;
        if (!best || harts < least || (harts == least && launch->last_run < best->last_run))
            best = launch;
    }
    return best;
}

launch *schedule_enter(firmware *f, hart *hart) {
    launch *best = first_allowed(f, &f->ready, hart);
    launch *fresh = first_allowed(f, &f->fresh, hart);
    if (!best || (fresh && fresh->last_run < best->last_run))
        best = fresh;
    if (!best)
        best = fewest_harts(f, hart);
    if (!best)
        return NULL;
    if (!best->harts_now) {
        launch_remove(best == fresh ? &f->fresh : &f->ready, best);
        launch_append(&f->running, best);
    }
    uint64_t now = arch_time(f);
    if (!best->harts_ever)
        best->begun = now;
    if (!best->harts_now)
        best->since = now;
    best->harts_now |= bit(hart);
    ++best->workers;
    best->harts_ever |= bit(hart);
    best->last_run = ++f->turns;
    best->alarm = launch_deadline(f, best);
    hart->launch = best;
    hart->instructions = 0;
    if (f->sample_ticks)
        sample_enter(f, hart, now);
    rvl_hart_statistics *statistics = &f->shared->statistics[hart->index];
    statistics->since = now;
    statistics->launch = best->command.launch;
    CLEAN_FOR_HOST(f, *statistics);
    return best;
}

static void kick(firmware *f, hart *hart) {
    f->idle &= ~bit(hart);
    store_release(&hart->kick, 1); /* order: hart.kick */
    fence_all();                   /* order: hart.look_for_sleeper */
    if (load_relaxed(&hart->asleep))
        arch_interrupt(f, hart);
}

/* Wakes harts for a launch that has too few. True: there are not enough. */
static bool wake_for(firmware *f, const launch *launch) {
    const uint64_t left = launch_groups_left(launch);
    uint64_t enough = (uint64_t)launch->workers * launch->chunk;
    if (left > enough && (f->idle & launch->command.hart_mask))
        FOR_EACH_HART(f, hart, f->idle & launch->command.hart_mask) {
            if (left <= enough)
                break;
            kick(f, hart);
            enough += launch->chunk;
        }
    return left > enough;
}

/* Wakes harts for launches without any, as long as there are idle ones. Returns the first launch
 * for which there are not enough. */
static launch *wake_for_waiting(firmware *f, launch *launch) {
    struct launch *starving = NULL;
    for (; launch && f->idle; launch = launch->next)
        if (wake_for(f, launch) && !starving)
            starving = launch;
    return starving ? starving : launch;
}

static uint64_t ticks(const firmware *f, uint64_t microseconds) {
    return microseconds * f->timebase / 1000000;
}

static uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* When the launch shall yield to another one that has harts, or NEVER. */
static uint64_t time_to_yield(const firmware *f, const launch *launch, const struct launch *other) {
    uint32_t mine = launch->workers, theirs = other->workers;
    if (other == launch || !other->starving || !(other->command.hart_mask & launch->harts_now) ||
        mine <= theirs)
        return NEVER;
    return launch->since + ticks(f, mine >= theirs + 2 ? SHORT_TURN_US : LONG_TURN_US);
}

/* … that has none, of a list from here on. */
static bool any_wants(const launch *waiting, uint64_t harts) {
    while (waiting && !((waiting->command.hart_mask & harts) && launch_groups_left(waiting)))
        waiting = waiting->next;
    return waiting != NULL;
}

static void balance_launch(firmware *f, launch *launch, const struct launch *fresh,
                           const struct launch *ready) {
    uint64_t yield_at = NEVER;
    const uint64_t harts = launch->harts_now;
    if (any_wants(fresh, harts))
        yield_at = launch->since + ticks(f, SHORT_TURN_US);
    else if (any_wants(ready, harts))
        yield_at = launch->since + ticks(f, launch->workers >= 2 ? SHORT_TURN_US : LONG_TURN_US);
    for (struct launch *other = f->running.first; other; other = other->next)
        yield_at = earlier(yield_at, time_to_yield(f, launch, other));
    bool now = yield_at != NEVER && yield_at <= arch_time(f);
    set_yield(launch, now);
    launch->alarm = earlier(now ? NEVER : yield_at, launch_deadline(f, launch));
}

void schedule_balance(firmware *f) {
    for (launch *launch = f->running.first; launch; launch = launch->next)
        launch->starving = wake_for(f, launch);
    const launch *fresh = wake_for_waiting(f, f->fresh.first);
    const launch *ready = wake_for_waiting(f, f->ready.first);
    for (launch *launch = f->running.first; launch; launch = launch->next)
        if (!load_relaxed(&launch->ending))
            balance_launch(f, launch, fresh, ready);

    /* The host rings no bell when it has made room for completions: look again soon. */
    completion_flush(f);
    uint64_t first = f->next_heartbeat;
    if (f->ended.first || f->commands_wait)
        first = earlier(first, arch_time(f) + ticks(f, RETRY_US));
    const bool samples = f->sample_ticks != 0;
    FOR_EACH_HART(f, hart, ~0ull) {
        uint64_t alarm = hart->launch ? hart->launch->alarm : NEVER;
        if (samples && hart->launch)
            alarm = earlier(alarm, hart->next_sample);
        arch_set_alarm(f, hart, hart->index == 0 ? earlier(alarm, first) : alarm);
    }
}
