/* SPDX-License-Identifier: Apache-2.0
 *
 * From the first instruction of hart 0 to the state RUNNING, and the loop that every hart is in
 * afterwards. */
#include <stdio.h>
#include <string.h>

#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"

/* An ISA string that is too long loses whole extensions, not half a name. */
static void copy_isa(char *to, size_t capacity, const char *isa) {
    size_t length = strlen(isa);
    if (length >= capacity) {
        length = capacity - 1;
        while (length > 0 && isa[length] != '_')
            --length;
    }
    memcpy(to, isa, length);
    to[length] = '\0';
}

static void write_hello(firmware *f) {
    shared_memory *shared = f->shared;
    rvl_hello *hello = &shared->mailbox.hello;
    hello->magic = RVL_MAILBOX_MAGIC;
    hello->protocol = RVL_PROTOCOL_VERSION;
    hello->bytes = sizeof *hello;
    memcpy(hello->build_id, f->build_id, sizeof hello->build_id);
    hello->harts = f->harts;
    hello->xlen = sizeof(void *) * 8;
    hello->vlen = f->vlen;
    hello->cache_block = f->cache_block;
    hello->pmp_entries = f->pmp_entries;
    hello->timebase = f->timebase;
    hello->heap_base = f->heap;
    hello->heap_bytes = f->heap_bytes;
    hello->hart_memory_bytes = f->hart_memory_bytes;
    hello->local_memory_bytes = f->local_memory_bytes;
    hello->command_ring = (uintptr_t)shared->commands;
    hello->completion_ring = (uintptr_t)shared->completions;
    hello->log_ring = (uintptr_t)shared->log;
    hello->fault_table = (uintptr_t)shared->faults;
    hello->command_slots = COMMAND_SLOTS;
    hello->completion_slots = COMPLETION_SLOTS;
    hello->log_bytes = LOG_BYTES;
    hello->fault_slots = FAULT_SLOTS;
    snprintf(hello->board, sizeof hello->board, "%s", f->board);
    copy_isa(hello->isa, sizeof hello->isa, f->isa);
}

/* Everything of the mailbox but the host's boot block and its bell. The host may be looking at the
 * state all the time. */
static void clear_mailbox(rvl_mailbox *mailbox) {
    rvl_hello *hello = &mailbox->hello;
    store_release(&hello->state, RVL_STATE_BOOTING);
    memset(hello, 0, offsetof(rvl_hello, state));
    memset((char *)hello + offsetof(rvl_hello, build_id), 0,
           sizeof *hello - offsetof(rvl_hello, build_id));
    store_relaxed(&mailbox->device_bell_wanted.value, 0);
    memset(&mailbox->commands, 0, sizeof mailbox->commands);
    memset(&mailbox->completions, 0, sizeof mailbox->completions);
    memset(&mailbox->log, 0, sizeof mailbox->log);
    memset(mailbox->heartbeat, 0, sizeof mailbox->heartbeat);
    mailbox->log_lost = 0;
}

static void make_pools(firmware *f) {
    for (size_t i = 0; i < MAX_LAUNCHES; ++i)
        launch_append(&f->free, &f->launch[i]);
    for (size_t i = 0; i < MAX_STREAMS; ++i) {
        f->stream[i].next = f->free_streams;
        f->free_streams = &f->stream[i];
    }
}

static void enter_state(firmware *f, rvl_state state) {
    store_release(&f->shared->mailbox.hello.state, state);
    fence_all();
    arch_ring_host(f);
}

bool firmware_boot(firmware *f) {
    rvl_mailbox *mailbox = &f->shared->mailbox;
    clear_mailbox(mailbox);
    make_pools(f);
    write_hello(f);

    hart *boot_hart = &f->hart[0];
    while (load_acquire(&mailbox->boot.magic) != RVL_MAILBOX_MAGIC) {
        if (arch_stopping(f))
            return false;
        arch_set_alarm(f, boot_hart, arch_time(f) + f->timebase / 1000);
        arch_wait(f, boot_hart);
    }
    arch_set_alarm(f, boot_hart, NEVER);

    uint32_t host = mailbox->boot.protocol;
    if (RVL_VERSION_MAJOR(host) != RVL_VERSION_MAJOR(RVL_PROTOCOL_VERSION)) {
        firmware_log(f, 0, "the host speaks protocol %u.%u, this firmware %u.%u: refused",
                     (unsigned)RVL_VERSION_MAJOR(host), (unsigned)RVL_VERSION_MINOR(host),
                     (unsigned)RVL_VERSION_MAJOR(RVL_PROTOCOL_VERSION),
                     (unsigned)RVL_VERSION_MINOR(RVL_PROTOCOL_VERSION));
        enter_state(f, RVL_STATE_REFUSED);
        return false;
    }
    firmware_log(f, 0, "board %s, %u harts, VLEN %u, %u MiB of heap", f->board, (unsigned)f->harts,
                 (unsigned)f->vlen, (unsigned)(f->heap_bytes >> 20));
    enter_state(f, RVL_STATE_RUNNING);
    return true;
}

void firmware_crash(firmware *f, uint32_t hart, const char *why) {
    firmware_log(f, hart, "%s", why);
    enter_state(f, RVL_STATE_CRASHED);
}

static void count_heartbeat(firmware *f, const hart *hart) {
    uint32_t *beat = &f->shared->mailbox.heartbeat[hart->index];
    store_relaxed(beat, load_relaxed(beat) + 1);
}

static bool is_boot_hart(const hart *hart) { return hart->index == 0; }

static void release(firmware *f) {
    bool ring = f->ring_host;
    f->ring_host = false;
    arch_lock_release(&f->lock);
    if (ring)
        arch_ring_host(f);
}

/* Serves what there is, with the lock held. Hart 0 is the one that the host rings, so it may only
 * turn to something else after it has said so and found nothing new. */
static void serve(firmware *f, const hart *hart) {
    do
        service_commands(f);
    while (is_boot_hart(hart) && !service_nothing_new(f));
}

/* The hart's next launch, after the one it had; NULL: nothing to do. */
static launch *next_launch(firmware *f, hart *hart) {
    arch_lock_take(&f->lock);
    f->idle &= ~(1ull << hart->index);
    store_relaxed(&hart->kick, 0);
    if (hart->launch)
        schedule_leave(f, hart);
    serve(f, hart);
    launch *launch = schedule_enter(f, hart);
    if (!launch)
        f->idle |= 1ull << hart->index;
    schedule_balance(f);
    completion_flush(f);
    bool fetch_anew = hart->code_generation != f->code_generation;
    hart->code_generation = f->code_generation;
    release(f);
    if (launch && fetch_anew)
        arch_fetch_anew();
    return launch;
}

static bool has_work(firmware *f, const hart *hart) {
    rvl_ring *commands = &f->shared->mailbox.commands;
    return load_acquire(&hart->kick) ||
           (is_boot_hart(hart) &&
            load_relaxed(&commands->tail.value) != load_relaxed(&f->commands_seen));
}

static void wait_for_work(firmware *f, hart *hart) {
    rvl_line *bell_wanted = &f->shared->mailbox.device_bell_wanted;
    if (is_boot_hart(hart))
        store_relaxed(&bell_wanted->value, 0);
    for (uint64_t end = arch_time(f) + arch_spin_time(f); arch_time(f) < end;)
        for (int i = 0; i < 50; ++i) {
            if (has_work(f, hart))
                return;
            arch_pause();
        }
    store_relaxed(&hart->asleep, 1);
    if (is_boot_hart(hart))
        store_relaxed(&bell_wanted->value, 1);
    fence_all();
    if (!has_work(f, hart))
        arch_wait(f, hart);
    store_relaxed(&hart->asleep, 0);
    if (is_boot_hart(hart))
        store_relaxed(&bell_wanted->value, 0);
    count_heartbeat(f, hart);
}

void firmware_work(firmware *f, hart *hart) {
    while (!arch_stopping(f)) {
        launch *launch = next_launch(f, hart);
        if (launch)
            arch_run_kernel(f, hart, launch_make_frame(f, hart, launch));
        else
            wait_for_work(f, hart);
    }
    if (hart->launch) {
        arch_lock_take(&f->lock);
        schedule_leave(f, hart);
        arch_lock_release(&f->lock);
    }
}

static rvl_fault *next_fault(firmware *f, uint32_t *index) {
    *index = f->next_fault++ % FAULT_SLOTS;
    return &f->shared->faults[*index];
}

/* Under the lock. */
static void report(firmware *f, const hart *hart, rvl_fault *fault, rvl_result result) {
    launch *launch = hart->launch;
    if (load_relaxed(&launch->ending))
        return; /* it was ended for another reason already */
    const rvl_hart_frame *frame = launch_frame(f, hart, launch);
    fault->version = RVL_PROTOCOL_VERSION;
    fault->launch = launch->command.launch;
    fault->hart = hart->index;
    fault->image_base = launch->image_base;
    fault->first_group = load_relaxed(&frame->first_group);
    fault->groups = load_relaxed(&frame->groups);
    fault->time = arch_time(f);
    uint32_t index;
    *next_fault(f, &index) = *fault;
    schedule_end_early(f, launch, result, index);
}

void firmware_fault(firmware *f, hart *hart, rvl_fault *fault) {
    count_heartbeat(f, hart);
    arch_lock_take(&f->lock);
    report(f, hart, fault, RVL_RESULT_FAULT);
    release(f);
}

void firmware_interrupt(firmware *f, hart *hart) {
    count_heartbeat(f, hart);
    arch_lock_take(&f->lock);
    serve(f, hart);
    launch *launch = hart->launch;
    if (launch && arch_time(f) >= launch_deadline(f, launch)) {
        rvl_fault fault = {.kind = RVL_FAULT_TIME_LIMIT};
        arch_describe_kernel(hart, &fault);
        report(f, hart, &fault, RVL_RESULT_TIME_LIMIT);
    }
    schedule_balance(f);
    completion_flush(f);
    release(f);
}
