/* SPDX-License-Identifier: Apache-2.0
 *
 * The main loop of a hart: finding a launch, working on it, sleeping; and what happens when an
 * interrupt or a trap takes it out of a kernel. */
#include "device-firmware/core/work.h"

#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/cache.h"
#include "device-firmware/core/clear.h"
#include "device-firmware/core/completion.h"
#include "device-firmware/core/hart_set.h"
#include "device-firmware/core/launch.h"
#include "device-firmware/core/lock.h"
#include "device-firmware/core/sample.h"
#include "device-firmware/core/schedule.h"
#include "device-firmware/core/seldom.h"
#include "device-firmware/core/service.h"
#include "device-firmware/core/session.h"
#include "device-firmware/core/unit_job.h"

static bool is_boot_hart(const hart *hart) { return hart->index == 0; }

/* Sends a heartbeat if one is due; under the lock. True if it was. */
static bool beat(firmware *f, const hart *hart) {
    uint64_t now;
    if (!is_boot_hart(hart) || f->next_heartbeat == NEVER ||
        (now = arch_time(f)) < f->next_heartbeat)
        return false;
    rvl_heartbeat *heartbeat = &f->shared->mailbox.heartbeat;
    heartbeat->time = now;
    store_release(&heartbeat->count, heartbeat->count + 1);
    CLEAN_FOR_HOST(f, *heartbeat);
    f->next_heartbeat = now + f->heartbeat_ticks;
    return true;
}

static void count_wake(firmware *f, const hart *hart) {
    uint32_t *count = hart->index < RVL_MASK_HARTS ? &f->shared->mailbox.wake_count[hart->index]
                                                   : &hart->statistics->wakes;
    store_relaxed(count, load_relaxed(count) + 1);
    CLEAN_FOR_HOST(f, *count);
}

/* Finishes work that other harts deferred because it was too much for one lock hold. */
static void catch_up(firmware *f) {
    for (;;) {
        const bool advances = schedule_advance(f), completes = completion_flush(f);
        if (!advances && !completes)
            return;
        firmware_yield_lock(f);
    }
}

/* Serves all commands, with the lock held. The host rings hart 0, so hart 0 may turn to
 * something else only after it has announced that it wants a bell and found nothing new. A host
 * may submit as fast as commands are served; the lock is released in between so that others can
 * take it. */
static void serve_all(firmware *f, const hart *hart) {
    do {
        for (service_commands(f); is_boot_hart(hart) && !service_nothing_new(f);
             service_commands(f))
            firmware_yield_lock(f);
        catch_up(f);
    } while (service_chain_has_ended(f));
}

/* A hart that waits by wfi must wake to be suspended, so suspend_at is its alarm until then
 * (schedule_balance). Only launches count as work, not heartbeats and commands, for which hart 0
 * wakes. */
SELDOM static void plan_suspension(const firmware *f, hart *hart, bool has_worked) {
    const uint64_t now = arch_time(f);
    if (has_worked || !hart->suspend_at)
        hart->suspend_at = now + f->suspend_ticks;
    else if (now >= hart->suspend_at)
        hart->suspend_at = NEVER;
}

/* Takes the hart's next launch, after the one it had; NULL if there is nothing to do. */
static launch *next_launch(firmware *f, hart *hart) {
    arch_lock_take(&f->lock);
    launch *launch = hart->launch && f->unattended ? schedule_follow(f, hart) : NULL;
    if (launch) {
        firmware_unlock(f);
        return launch;
    }
    store_relaxed(&f->unattended, 0);
    beat(f, hart);
    hart_set_remove(&f->idle, hart);
    hart_set_remove(&f->saving, hart);
    store_relaxed(&hart->kick, 0);
    const bool has_worked = hart->launch != NULL;
    if (has_worked)
        schedule_leave(f, hart);
    serve_all(f, hart);
    launch = schedule_enter(f, hart);
    if (!launch) {
        hart_set_add(&f->idle, hart);
        if (f->suspend_ticks)
            plan_suspension(f, hart, has_worked);
    }
    schedule_balance(f, hart);
    completion_flush(f);
    /* A hart without a launch fetches no kernel code, so its fence.i is deferred until it has
     * one. */
    bool needs_fence_i = launch && hart->code_generation != f->code_generation;
    if (needs_fence_i)
        hart->code_generation = f->code_generation;
    firmware_unlock(f);
    if (needs_fence_i)
        arch_icache_sync(f);
    return launch;
}

static bool has_work(firmware *f, const hart *hart) {
    rvl_ring *commands = &f->shared->mailbox.commands;
    if (load_acquire(&hart->kick)) /* order: hart.kicked */
        return true;
    if (!is_boot_hart(hart))
        return false;
    INVALIDATE_FOR_DEVICE(f, commands->tail);
    return session_is_changing(f) ||
           load_relaxed(&commands->tail.value) != load_relaxed(&f->commands_seen);
}

static bool is_heartbeat(const firmware *f, const hart *hart, uint64_t now) {
    return is_boot_hart(hart) && now >= f->next_heartbeat; /* written by hart 0 only */
}

static void want_bell(firmware *f, const hart *hart, uint32_t wanted) {
    if (!is_boot_hart(hart))
        return;
    store_relaxed(f->words.notify_enabled, wanted);
    CLEAN_FOR_HOST(f, *f->words.notify_enabled);
}

static bool poll_for_work(firmware *f, const hart *hart) {
    want_bell(f, hart, 0);
    for (uint64_t end = arch_time(f) + arch_spin_time(f); arch_time(f) < end;)
        for (int i = 0; i < 50; ++i) {
            if (has_work(f, hart))
                return true;
            arch_pause();
        }
    return false;
}

/* A wakeup must not be lost: `asleep` and the request for a doorbell are published before the last
 * check for work, with a full fence in between, and those who create work (kick() and the host)
 * store and check in the opposite order. So at least one side sees the other's store. Returns
 * whether there is work. */
static bool sleep_until_woken(firmware *f, hart *hart) {
    store_relaxed(&hart->asleep, 1);
    want_bell(f, hart, 1);
    fence_all(); /* order: hart.sleep */
    if (!has_work(f, hart))
        arch_wait(f, hart);
    store_relaxed(&hart->asleep, 0);
    want_bell(f, hart, 0);
    if (!is_heartbeat(f, hart, arch_time(f)))
        count_wake(f, hart);
    return has_work(f, hart);
}

/* Work often follows work, so the hart polls for a while before it sleeps: unless it has had none
 * since it slept, because what has woken it was an alarm, say. An instruction that waits may also
 * do nothing (wfi may be a no-op): polling then keeps idle harts from taking the lock all the time.
 */
SELDOM static void wait_for_work(firmware *f, hart *hart) {
    uint64_t begin = arch_time(f);
    rvl_hart_statistics *statistics = &f->shared->statistics[hart->index];
    statistics->since = begin;
    const bool polls = hart->found_work || load_relaxed(&statistics->launch);
    store_relaxed(&statistics->launch, 0);
    CLEAN_FOR_HOST(f, *statistics);
    hart->found_work = (polls && poll_for_work(f, hart)) || sleep_until_woken(f, hart);
    const uint64_t waited = arch_time(f) - begin;
    hart->found_work |= waited < arch_spin_time(f);
    statistics->idle += waited;
    CLEAN_FOR_HOST(f, *statistics);
}

/* Polls the unit until it has finished, or its launch is killed or out of time. As no interrupt
 * reaches the hart in M mode, it serves everything else at an interval. */
SELDOM static void run_unit(firmware *f, hart *hart) {
    enum { LOOK_US = 50 };
    const launch *launch = hart->launch;
    const uint64_t interval = LOOK_US * f->timebase / 1000000;
    uint64_t next = arch_time(f) + interval;
    unit_state state = unit_begin(f, hart);
    while (state == UNIT_BUSY && !load_acquire(&launch->ending)) {
        if (arch_time(f) >= next) {
            arch_acknowledge_interrupts(f, hart);
            (void)firmware_interrupt(f, hart);
            next = arch_time(f) + interval;
        }
        state = unit_step(f, hart);
    }
    if (state != UNIT_DONE)
        unit_stop(f, hart); /* it may have failed because it is late */
    if (state == UNIT_FAILED) {
        rvl_fault fault = {0};
        unit_describe_failure(f, hart, &fault);
        firmware_fault(f, hart, &fault);
    }
    store_relaxed(&launch->words->next_group, launch->total_groups);
}

SELDOM static void resume(firmware *f, hart *hart) {
    hart->resumes = false;
    const held_launch *held = &hart->held[hart->levels];
    launch_place_frame(f, hart, hart->launch);
    launch_restore_local_memory(f, hart, held);
    arch_resume_kernel(f, hart, held->registers);
}

static void run(firmware *f, hart *hart, const launch *launch) {
    if (hart->resumes) {
        resume(f, hart);
    } else {
        launch_clear_hart(f, hart, launch);
        arch_run_kernel(f, hart, launch_make_frame(hart));
    }
    if (!hart->launch)
        launch_keep_local_memory(f, hart, &hart->held[hart->levels - 1]);
}

void firmware_work(firmware *f, hart *hart) {
    while (!arch_stopping(f)) {
        launch *launch = next_launch(f, hart);
        if (!launch) {
            if (!clear_some(f, hart))
                wait_for_work(f, hart);
            continue;
        }
        if (FIRMWARE_HAS_UNITS && launch->unit)
            run_unit(f, hart);
        else
            run(f, hart, launch);
    }
    if (hart->launch) {
        firmware_lock(f);
        schedule_leave(f, hart);
        arch_lock_release(&f->lock);
    }
}

static rvl_fault *next_fault(firmware *f, uint32_t *index) {
    *index = f->next_fault++ % FAULT_SLOTS;
    return &f->shared->faults[*index];
}

/* Called under the lock. */
SELDOM static void report(firmware *f, const hart *hart, rvl_fault *fault, rvl_result result) {
    launch *launch = hart->launch;
    if (load_relaxed(&launch->ending))
        return; /* it has already been ended for another reason */
    const rvl_hart_frame *frame = launch->unit ? NULL : launch_frame(f, hart, launch);
    fault->version = RVL_PROTOCOL_VERSION;
    fault->launch = launch->command.launch;
    fault->hart = hart->index;
    fault->image_base = launch->image_base;
    fault->first_group = frame ? load_relaxed(&frame->first_group) : 0;
    fault->groups = frame ? load_relaxed(&frame->groups) : 0;
    fault->time = arch_time(f);
    uint32_t index;
    rvl_fault *entry = next_fault(f, &index);
    *entry = *fault;
    CLEAN_FOR_HOST(f, *entry);
    schedule_end_early(f, launch, result, index);
}

SELDOM void firmware_fault(firmware *f, hart *hart, rvl_fault *fault) {
    count_wake(f, hart);
    firmware_lock(f);
    report(f, hart, fault, RVL_RESULT_FAULT);
    firmware_unlock(f);
}

bool firmware_interrupt(firmware *f, hart *hart) {
    count_wake(f, hart);
    firmware_lock(f);
    sample_take(f, hart);
    beat(f, hart);
    serve_all(f, hart);
    launch *launch = hart->launch;
    if (launch && arch_time(f) >= launch_deadline(f, launch)) {
        rvl_fault fault = {.kind = RVL_FAULT_TIME_LIMIT};
        if (!launch->unit)
            arch_describe_kernel(hart, &fault);
        report(f, hart, &fault, RVL_RESULT_TIME_LIMIT);
    }
    schedule_balance(f, hart);
    completion_flush(f);
    const bool leaves = schedule_preempts(f, hart);
    if (leaves) {
        schedule_hold(f, hart);
        store_relaxed(&f->unattended, 0);
    }
    firmware_unlock(f);
    return leaves;
}
