/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides which harts are woken and which leave their launches, once something has changed.
 *
 * Idle harts come first. For a launch of a higher priority, harts then leave kernels of lower ones
 * in the middle; on machines that can't, these launches yield at once. When all harts are busy,
 * launches with more than their share are asked to yield: their harts leave at the next chunk of
 * work-groups and choose again. A launch that has run for less than a time slice is left alone,
 * though: it may finish soon. A time slice is short in favour of a launch that is new or that
 * clearly has too few harts, and long if harts merely alternate between launches because there are
 * more launches than harts. */
#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/completion.h"
#include "device-firmware/core/hart_set.h"
#include "device-firmware/core/launch.h"
#include "device-firmware/core/schedule.h"
#include "device-firmware/core/seldom.h"

enum { SHORT_TURN_US = 200, LONG_TURN_US = 2000, RETRY_US = 200 };

static void kick(firmware *f, hart *hart) {
    hart_set_remove(&f->idle, hart);
    store_release(&hart->kick, 1); /* order: hart.kick */
    fence_all();                   /* order: hart.look_for_sleeper */
    if (load_relaxed(&hart->asleep))
        arch_interrupt(f, hart);
}

void schedule_wake_idle(firmware *f) {
    FOR_EACH_HART(f, hart, f->idle) { kick(f, hart); }
}

/* Whether a hart may leave its launch in the middle, for that one. A unit's is no kernel. */
SELDOM static bool can_hold(const firmware *f, const hart *hart, const launch *launch) {
    return !hart->launch->unit && !load_relaxed(&hart->launch->ending) &&
           launch_fits(f, hart, launch, launch_memory_end_below(f, hart));
}

/* Finds harts that work on launches of lower priorities, the lowest first, and adds them to
 * `wanted`, until there are enough for `left` groups. Returns for how many there are. */
SELDOM static uint64_t preempt_for(firmware *f, const launch *launch, uint64_t left,
                                   uint64_t enough, hart_set *wanted) {
    for (uint8_t priority = 0; priority < launch->priority; ++priority)
        FOR_EACH_HART(f, hart, hart_set_without(launch_harts(launch), *wanted)) {
            if (left <= enough)
                return enough;
            if (!hart->launch || hart->launch->priority != priority || !can_hold(f, hart, launch))
                continue;
            hart_set_add(wanted, hart);
            enough += launch->chunk;
        }
    return enough;
}

/* Wakes idle harts for a launch that has too few, and at least one for a launch without any,
 * even if it seems to have no groups left, and has others leave launches of a lower priority. True
 * if there were not enough. */
__attribute__((noinline)) static bool wake_for(firmware *f, const launch *launch,
                                               hart_set *wanted) {
    const uint32_t groups = launch_groups_left(launch);
    const uint64_t left = groups || launch->workers ? groups : 1;
    uint64_t enough = (uint64_t)launch->workers * launch->chunk;
    if (left > enough && hart_sets_meet(f->idle, launch_harts(launch)))
        FOR_EACH_HART(f, hart, hart_set_common(f->idle, launch_harts(launch))) {
            if (left <= enough)
                break;
            kick(f, hart);
            enough += launch->chunk;
        }
    if (left > enough && launch->priority && f->preempts)
        enough = preempt_for(f, launch, left, enough, wanted);
    return left > enough;
}

static bool runs_lower(const firmware *f, uint8_t priority) {
    const launch *launch = f->running.first;
    while (launch && launch->priority >= priority)
        launch = launch->next;
    return launch;
}

/* Wakes harts for launches that have none; each needs at least one. True if there were not
 * enough. A launch may fit below none of the kernels that harts could leave for it, and one behind
 * it may. */
static bool wake_for_waiting(firmware *f, const launch *launch, hart_set *wanted) {
    bool starve = false;
    for (int steps = 0; launch && steps < STEPS_AT_ONCE; launch = launch->next) {
        if (!wake_for(f, launch, wanted))
            continue;
        starve = true;
        if (!f->preempts || !runs_lower(f, launch->priority))
            break;
        ++steps;
    }
    return starve;
}

static uint64_t ticks(const firmware *f, uint64_t microseconds) {
    return microseconds * f->timebase / 1000000;
}

static uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* When the launch has to yield to `other`, which has harts too, or NEVER. */
static uint64_t time_to_yield(const firmware *f, const launch *launch, const struct launch *other) {
    uint32_t mine = launch->workers, theirs = other->workers;
    if (other == launch || !other->starving ||
        !hart_sets_meet(launch_harts(other), launch->harts_now) ||
        (mine <= theirs && launch->priority == other->priority) ||
        launch->priority > other->priority)
        return NEVER;
    if (launch->priority < other->priority)
        return 0;
    return launch->since + ticks(f, mine >= theirs + 2 ? SHORT_TURN_US : LONG_TURN_US);
}

/* Decides when the launch's harts have to yield, and sets its alarm to that time. Every reason
 * to yield is a starving launch that could use one of these harts; without one the launch keeps
 * its harts until it ends. The alarm also covers the launch's time limit. */
static void balance_launch(firmware *f, launch *launch) {
    uint64_t yield_at = NEVER;
    for (const launch_queue *queue = f->queues; queue; queue = queue->next) {
        if (!hart_sets_meet(queue->allowed, launch->harts_now) ||
            queue->priority < launch->priority)
            continue;
        if (queue->priority > launch->priority && (queue->fresh_starve || queue->ready_starve))
            yield_at = 0;
        else if (queue->fresh_starve)
            yield_at = earlier(yield_at, launch->since + ticks(f, SHORT_TURN_US));
        else if (queue->ready_starve)
            yield_at =
                earlier(yield_at, launch->since + ticks(f, launch->workers >= 2 ? SHORT_TURN_US
                                                                                : LONG_TURN_US));
    }
    for (struct launch *other = f->running.first; other; other = other->next)
        yield_at = earlier(yield_at, time_to_yield(f, launch, other));
    bool now = yield_at != NEVER && yield_at <= arch_time(f);
    launch_set_yield(launch, now);
    launch->alarm = earlier(now ? NEVER : yield_at, launch_deadline(f, launch));
}

/* Distributes harts among the launches of the same priority as those of the first queue, in the
 * order running, fresh and ready. Returns the first queue of the next priority. */
static launch_queue *distribute(firmware *f, launch_queue *first, hart_set *wanted) {
    const uint8_t priority = first->priority;
    for (launch *launch = f->running.first; launch; launch = launch->next)
        if (launch->priority == priority)
            launch->starving = wake_for(f, launch, wanted);
    launch_queue *queue;
    for (queue = first; queue && queue->priority == priority; queue = queue->next)
        queue->fresh_starve = wake_for_waiting(f, queue->fresh.first, wanted);
    for (queue = first; queue && queue->priority == priority; queue = queue->next)
        queue->ready_starve = wake_for_waiting(f, queue->ready.first, wanted);
    return queue;
}

bool schedule_preempts(firmware *f, hart *hart) {
    if (!hart->launch || load_relaxed(&hart->launch->ending))
        return false;
    if (hart_set_has(f->preempting, hart))
        return true;
    if (!f->preempt_ticks || arch_time(f) < hart->next_preemption)
        return false;
    if (f->preempts && hart->levels < HELD_LEVELS && can_hold(f, hart, hart->launch))
        return true;
    hart->next_preemption = arch_time(f) + f->preempt_ticks + 1; /* or its alarm stays due */
    return false;
}

/* Called whenever a hart has entered or left a launch or commands have arrived, under the lock.
 * First distributes idle harts, and harts that can leave launches of lower priorities; whatever
 * remains short of harts then makes others yield. Finally programs every hart's timer, since any of
 * these decisions may have changed when it has to act next. `own` needs no interrupt to look. */
void schedule_balance(firmware *f, const hart *own) {
    hart_set wanted = NO_HARTS;
    for (launch_queue *queue = f->queues; queue;)
        queue = distribute(f, queue, &wanted);
    hart_set told = hart_set_without(wanted, f->preempting);
    if (!hart_set_is_empty(told)) {
        hart_set_remove(&told, own);
        FOR_EACH_HART(f, hart, told) { arch_interrupt(f, hart); }
    }
    f->preempting = wanted;
    for (launch *launch = f->running.first; launch; launch = launch->next)
        if (!load_relaxed(&launch->ending))
            balance_launch(f, launch);

    /* The host does not ring when it has freed completion slots, so check again soon. */
    completion_flush(f);
    uint64_t first = f->next_heartbeat;
    if (f->ended.first || f->commands_wait)
        first = earlier(first, arch_time(f) + ticks(f, RETRY_US));
    const bool samples = f->sample_ticks != 0, preemptions = f->preempt_ticks != 0;
    FOR_ALL_HARTS(f, hart) {
        uint64_t alarm = hart->launch       ? hart->launch->alarm
                         : hart->suspend_at ? hart->suspend_at
                                            : NEVER;
        if (samples && hart->launch)
            alarm = earlier(alarm, hart->next_sample);
        if (preemptions && hart->launch)
            alarm = earlier(alarm, hart->next_preemption);
        arch_set_alarm(f, hart, hart->index == 0 ? earlier(alarm, first) : alarm);
    }
    store_relaxed(&f->unattended, schedule_unattended(f));
}
