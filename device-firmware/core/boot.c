/* SPDX-License-Identifier: Apache-2.0
 *
 * From hart 0's first instruction to the hello, and crash reports. */
#include "device-firmware/core/boot.h"

#include <stdio.h>
#include <string.h>

#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/cache.h"
#include "device-firmware/core/hart_set.h"
#include "device-firmware/core/launch_list.h"
#include "device-firmware/core/log.h"
#include "device-firmware/core/session.h"
#include "device-firmware/core/state.h"
#include "device-firmware/core/unit.h"

/* Truncates an ISA string that is too long at an extension boundary. */
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
    hello->least_local_memory_bytes =
        rvl_least_local_memory(f->local_memory_bytes, ARCH_SCRATCHPAD_BYTES, f->harts);
    hello->command_ring = (uintptr_t)shared->commands;
    hello->completion_ring = (uintptr_t)shared->completions;
    hello->log_ring = (uintptr_t)shared->log;
    hello->fault_table = (uintptr_t)shared->faults;
    hello->command_slots = COMMAND_SLOTS;
    hello->completion_slots = COMPLETION_SLOTS;
    hello->log_bytes = LOG_BYTES;
    hello->fault_slots = FAULT_SLOTS;
    hello->statistics = (uintptr_t)shared->statistics;
    hello->crash = (uintptr_t)&shared->crash;
    hello->crash_harts = (uintptr_t)shared->crash_harts;
    hello->flags = RVL_HELLO_WAITS | RVL_HELLO_PRIORITIES |
                   (f->kernel_key ? RVL_HELLO_SIGNED_KERNELS : 0) |
                   (f->large_blocks ? RVL_HELLO_LARGE_BLOCKS : 0); /* regions_take adds to them */
    snprintf(hello->board, sizeof hello->board, "%s", f->board);
    snprintf(hello->build, sizeof hello->build, "%s", f->build ? f->build : "");
    snprintf(hello->core, sizeof hello->core, "%s", f->core ? f->core : "");
    copy_isa(hello->isa, sizeof hello->isa, f->isa);
    unit_fill_hello(f, hello);
}

/* Clears everything in the mailbox except the host's boot block and doorbell word. The host may
 * read the state at any time. */
static void clear_mailbox(const firmware *f) {
    rvl_mailbox *mailbox = &f->shared->mailbox;
    rvl_hello *hello = &mailbox->hello;
    store_release(&hello->state, RVL_STATE_BOOTING);
    memset(hello, 0, offsetof(rvl_hello, state));
    memset((char *)hello + offsetof(rvl_hello, build_id), 0,
           sizeof *hello - offsetof(rvl_hello, build_id));
    store_relaxed(f->words.notify_enabled, 0);
    *f->words.command_head = *f->words.completion_tail = mailbox->log.tail.value = 0;
    if (!f->large_blocks) { /* otherwise the host's words are in blocks of their own */
        memset(&mailbox->commands, 0, sizeof mailbox->commands);
        memset(&mailbox->completions, 0, sizeof mailbox->completions);
        memset(&mailbox->log, 0, sizeof mailbox->log);
    }
    memset(mailbox->wake_count, 0, sizeof mailbox->wake_count);
    memset(&mailbox->heartbeat, 0, sizeof mailbox->heartbeat);
    memset(&mailbox->device_words, 0, sizeof mailbox->device_words);
    mailbox->log_lost = 0;
    mailbox->cache_served = 0;
}

/* Covers everything that clear_mailbox and write_hello wrote. */
static void clean_shared_memory(const firmware *f) {
    const rvl_mailbox *mailbox = &f->shared->mailbox;
    /* Before the hello, with which a host would believe the report of an earlier run. */
    CLEAN_FOR_HOST(f, f->shared->crash);
    CLEAN_FOR_HOST(f, f->shared->crash_harts);
    CLEAN_FOR_HOST(f, mailbox->hello);
    if (!f->large_blocks) {
        CLEAN_FOR_HOST(f, mailbox->device_notify_enabled);
        clean_for_host(f, &mailbox->commands,
                       offsetof(rvl_mailbox, log.tail) - offsetof(rvl_mailbox, commands));
    }
    clean_for_host(f, &mailbox->log.tail, sizeof *mailbox - offsetof(rvl_mailbox, log.tail));
    CLEAN_FOR_HOST(f, f->shared->statistics);
}

static void make_pools(firmware *f) {
    for (size_t i = 0; i < MAX_LAUNCHES; ++i)
        launch_free(f, &f->launch[i]);
    for (size_t i = 0; i < MAX_QUEUES; ++i) {
        f->queue[i].next = f->free_queues;
        f->free_queues = &f->queue[i];
    }
    for (size_t i = 0; i < MAX_STREAMS; ++i) {
        f->stream[i].next = f->free_streams;
        f->free_streams = &f->stream[i];
    }
}

bool firmware_boot(firmware *f) {
    f->noncoherent = f->has_cache_operations; /* until the host says more about its caches */
    state_choose_words(f);
    clear_mailbox(f);
    memset(f->shared->statistics, 0, sizeof f->shared->statistics);
    memset(&f->shared->crash, 0, sizeof f->shared->crash);
    memset(f->shared->crash_harts, 0, sizeof f->shared->crash_harts);
    f->all_harts = NO_HARTS;
    for (uint32_t i = 0; i < f->harts; ++i) {
        f->shared->statistics[i].hart_id = f->hart[i].id;
        hart_set_add(&f->all_harts, &f->hart[i]);
        f->hart[i].statistics = &f->shared->statistics[i];
        f->hart[i].memory_end = f->hart_memory + (i + 1) * f->hart_memory_bytes;
    }
    make_pools(f);
    f->board_heap_bytes = f->heap_bytes;
    f->board_local_memory_bytes = f->local_memory_bytes;
    write_hello(f);
    clean_shared_memory(f);
    if (f->difference) {
        firmware_log(f, 0, "hart %u %s", (unsigned)f->different_hart, f->difference);
        firmware_enter_state(f, RVL_STATE_CRASHED);
        return false;
    }
    session_begin(f);
    return true;
}

/* Copies the end of the log ring, starting at a line boundary if possible. */
static void copy_last_lines(const firmware *f, rvl_crash *crash) {
    uint32_t tail = f->shared->mailbox.log.tail.value;
    uint32_t length = tail < sizeof crash->log - 1 ? tail : sizeof crash->log - 1;
    for (uint32_t i = 0; i < length; ++i)
        crash->log[i] = f->shared->log[(tail - length + i) % LOG_BYTES];
}

void firmware_record_crash(firmware *f, uint32_t hart_index, const char *why) {
    rvl_crash *crash = &f->shared->crash;
    crash->version = RVL_PROTOCOL_VERSION;
    crash->hart = hart_index;
    snprintf(crash->reason, sizeof crash->reason, "%s", why);
    copy_last_lines(f, crash);
    store_release(&crash->magic, RVL_CRASH_MAGIC);
    CLEAN_FOR_HOST(f, *crash);
}

void firmware_publish_crash(firmware *f) {
    copy_last_lines(f, &f->shared->crash);
    CLEAN_FOR_HOST(f, f->shared->crash);
    store_relaxed(&f->has_failed, 1);
    firmware_enter_state(f, RVL_STATE_CRASHED);
}
