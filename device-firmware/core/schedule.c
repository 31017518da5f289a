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
 */
#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/cache.h"

enum { SHORT_TURN_US = 200, LONG_TURN_US = 2000, RETRY_US = 200 };

static uint32_t count(uint64_t harts) { return (uint32_t)__builtin_popcountll(harts); }
static uint64_t bit(const hart *hart) { return 1ull << hart->index; }

#define FOR_EACH_HART(f, hart_, mask)                                                              \
    for (hart *hart_ = (f)->hart; hart_ < (f)->hart + (f)->harts; ++hart_)                         \
        if ((mask) & bit(hart_))

static bool is_unused(const stream *stream) { return !stream->active && !stream->first_waiting; }

static void release_stream(firmware *f, stream *stream) {
    struct stream **link = &f->streams;
    while (*link != stream)
        link = &(*link)->next;
    *link = stream->next;
    stream->next = f->free_streams;
    f->free_streams = stream;
}

/* Gives up the memory of the failure that is longest ago. */
static void forget_a_failure(firmware *f) {
    stream *oldest = NULL;
    for (stream *stream = f->streams; stream; stream = stream->next)
        if (is_unused(stream))
            oldest = stream;
    if (oldest)
        release_stream(f, oldest);
}

static stream *find_stream(firmware *f, uint32_t number) {
    stream *stream = f->streams;
    while (stream && stream->number != number)
        stream = stream->next;
    if (stream)
        return stream;
    if (!f->free_streams)
        forget_a_failure(f); /* there is one: streams in use have a launch each */
    stream = f->free_streams;
    f->free_streams = stream->next;
    *stream = (struct stream){.next = f->streams, .number = number};
    return f->streams = stream;
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
            launch_append(&f->active, launch);
        }
    }
    if (is_unused(stream) && !stream->last_failed)
        release_stream(f, stream);
}

static void end_active(firmware *f, launch *launch) {
    bool well = !load_relaxed(&launch->ending);
    launch_write_back(f, launch);
    launch_remove(&f->active, launch);
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
    if (!launch->harts_now)
        end_active(f, launch);
}

static void drop_waiting(firmware *f, stream *stream) {
    for (launch *launch; (launch = stream->first_waiting) != NULL;) {
        stream->first_waiting = launch->next;
        launch_append(&f->free, launch);
    }
    stream->last_waiting = stream->newest = NULL;
    stream->last_failed = false;
}

void schedule_abandon(firmware *f) {
    for (stream *stream = f->streams, *next; stream; stream = next) {
        next = stream->next;
        drop_waiting(f, stream);
        if (is_unused(stream))
            release_stream(f, stream);
    }
    for (launch *launch = f->ended.first; launch; launch = launch->next)
        launch->abandoned = true;
    for (launch *launch = f->active.first, *next; launch; launch = next) {
        next = launch->next;
        launch->abandoned = true;
        launch->successor = NULL;
        schedule_end_early(f, launch, RVL_RESULT_KILLED, RVL_FAULT_NONE);
    }
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

bool schedule_kill(firmware *f, uint32_t number) {
    for (launch *launch = f->active.first; launch; launch = launch->next)
        if (launch->command.launch == number) {
            schedule_end_early(f, launch, RVL_RESULT_KILLED, RVL_FAULT_NONE);
            return true;
        }
    for (stream *stream = f->streams; stream; stream = stream->next)
        if (kill_waiting(f, stream, number))
            return true;
    return false;
}

void schedule_leave(firmware *f, hart *hart) {
    launch *launch = hart->launch;
    hart->launch = NULL;
    launch->harts_now &= ~bit(hart);
    launch->last_run = ++f->turns;
    launch->instructions += hart->instructions;
    rvl_hart_statistics *statistics = &f->shared->statistics[hart->index];
    ++statistics->launches;
    statistics->instructions += hart->instructions;
    bool ends = !launch->harts_now && !launch_chunks_left(launch);
    if (ends && !load_relaxed(&launch->ending))
        statistics->groups += launch->total_groups;
    CLEAN_FOR_HOST(f, *statistics);
    if (!launch->harts_now)
        launch->ran += arch_time(f) - launch->since;
    if (ends)
        end_active(f, launch);
}

/* Kernels can write to the words of other launches of their context, so that one may have no
 * groups left though no hart was there to see it end. */
static void end_exhausted(firmware *f) {
    for (launch *launch = f->active.first; launch;) {
        struct launch *next = launch->next;
        if (!launch->harts_now && !launch_chunks_left(launch))
            end_active(f, launch);
        launch = next;
    }
}

launch *schedule_enter(firmware *f, hart *hart) {
    end_exhausted(f);
    launch *best = NULL;
    for (launch *launch = f->active.first; launch; launch = launch->next) {
        if (!(launch->allowed & bit(hart)) || !launch_chunks_left(launch))
            continue;
        uint32_t harts = count(launch->harts_now);
        if (!best || harts < count(best->harts_now) ||
            (harts == count(best->harts_now) && launch->last_run < best->last_run))
            best = launch;
    }
    if (!best)
        return NULL;
    uint64_t now = arch_time(f);
    if (!best->harts_ever)
        best->begun = now;
    if (!best->harts_now)
        best->since = now;
    best->harts_now |= bit(hart);
    best->harts_ever |= bit(hart);
    best->last_run = ++f->turns;
    best->alarm = launch_deadline(f, best);
    hart->launch = best;
    hart->instructions = 0;
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

/* Wakes harts for what has too few. */
static void wake_idle_harts(firmware *f) {
    for (launch *launch = f->active.first; launch; launch = launch->next) {
        uint32_t chunks = launch_chunks_left(launch), harts = count(launch->harts_now);
        uint32_t more = chunks > harts ? chunks - harts : 0;
        if (more && (f->idle & launch->allowed))
            FOR_EACH_HART(f, hart, f->idle & launch->allowed) {
                if (!more)
                    break;
                kick(f, hart);
                --more;
            }
        launch->starving = more > 0;
    }
}

static uint64_t ticks(const firmware *f, uint64_t microseconds) {
    return microseconds * f->timebase / 1000000;
}

/* When the launch shall yield to the other one, or NEVER. */
static uint64_t time_to_yield(const firmware *f, const launch *launch, const struct launch *other) {
    uint32_t mine = count(launch->harts_now), theirs = count(other->harts_now);
    if (other == launch || !other->starving || !(other->allowed & launch->harts_now) ||
        mine <= theirs)
        return NEVER;
    bool soon = mine >= theirs + 2 || !other->harts_ever;
    return launch->since + ticks(f, soon ? SHORT_TURN_US : LONG_TURN_US);
}

static uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }

static void balance_launch(firmware *f, launch *launch) {
    uint64_t yield_at = NEVER;
    for (struct launch *other = f->active.first; other; other = other->next)
        yield_at = earlier(yield_at, time_to_yield(f, launch, other));
    bool now = yield_at != NEVER && yield_at <= arch_time(f);
    set_yield(launch, now);
    launch->alarm = earlier(now ? NEVER : yield_at, launch_deadline(f, launch));
}

void schedule_balance(firmware *f) {
    wake_idle_harts(f);
    for (launch *launch = f->active.first; launch; launch = launch->next)
        if (launch->harts_now && !load_relaxed(&launch->ending))
            balance_launch(f, launch);

    /* The host rings no bell when it has made room for completions: look again soon. */
    completion_flush(f);
    uint64_t first = f->next_heartbeat;
    if (f->ended.first || f->commands_wait)
        first = earlier(first, arch_time(f) + ticks(f, RETRY_US));
    FOR_EACH_HART(f, hart, ~0ull) {
        uint64_t alarm = hart->launch ? hart->launch->alarm : NEVER;
        arch_set_alarm(f, hart, hart->index == 0 ? earlier(alarm, first) : alarm);
    }
}
