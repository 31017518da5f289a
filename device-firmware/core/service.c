/* SPDX-License-Identifier: Apache-2.0
 *
 * Consumer of the command ring, and the implementation of each command. */
#include "device-firmware/core/service.h"

#include <string.h>

#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/cache.h"
#include "device-firmware/core/completion.h"
#include "device-firmware/core/launch.h"
#include "device-firmware/core/lock.h"
#include "device-firmware/core/log.h"
#include "device-firmware/core/range.h"
#include "device-firmware/core/regions.h"
#include "device-firmware/core/sample.h"
#include "device-firmware/core/schedule.h"
#include "device-firmware/core/seldom.h"
#include "device-firmware/core/session.h"
#include "hal/protocol/signature.h"

static void complete(firmware *f, const rvl_slot *command, rvl_result result) {
    uint64_t now = arch_time(f);
    if (result == RVL_RESULT_OK && (command->header.flags & RVL_FLAG_SILENT))
        return;
    *completion_slot(f, command->header) =
        (rvl_completion){.result = result, .start = now, .end = now, .fault = RVL_FAULT_NONE};
    completion_publish(f);
}

/* Verifies the copy in the context's code memory, which cannot change meanwhile. */
SELDOM static bool code_is_signed(firmware *f, const rvl_slot *command) {
    const rvl_load_code *load = &command->load_code;
    const bool has_signature = command->header.length >= sizeof *load && load->signature != 0 &&
                               regions_hold(f, load->signature, RVL_SIGNATURE_BYTES);
    if (!has_signature) {
        firmware_log(f, 0, "code without a signature is refused: this board requires one");
        return false;
    }
    uint8_t signature[RVL_SIGNATURE_BYTES];
    const void *at = (const void *)(uintptr_t)load->signature;
    invalidate_for_device(f, at, sizeof signature);
    memcpy(signature, at, sizeof signature);
    if (arch_is_signed(f, signature, (const void *)(uintptr_t)load->destination,
                       (size_t)load->bytes))
        return true;
    firmware_log(f, 0, "code refused: its signature is invalid (wrong key, or altered code)");
    return false;
}

SELDOM static rvl_result load_code(firmware *f, const rvl_slot *command) {
    const rvl_load_code *load = &command->load_code;
    if (!range_within(load->destination, load->bytes, f->heap, f->heap_bytes) ||
        !regions_hold(f, load->source, load->bytes)) {
        firmware_log(f, 0, "load of code outside the heap: 0x%lx from 0x%lx, %lu bytes",
                     (unsigned long)load->destination, (unsigned long)load->source,
                     (unsigned long)load->bytes);
        return RVL_RESULT_INVALID;
    }
    void *destination = (void *)(uintptr_t)load->destination;
    const void *source = (const void *)(uintptr_t)load->source;
    invalidate_for_device(f, source, (size_t)load->bytes);
    if (destination != source)
        memmove(destination, source, (size_t)load->bytes);
    const bool good = !f->kernel_key || code_is_signed(f, command);
    if (!good) /* so that it is not run by mistake */
        memset(destination, 0, (size_t)load->bytes);
    clean_for_host(f, destination, (size_t)load->bytes);
    arch_code_written(destination, (size_t)load->bytes);
    return good ? RVL_RESULT_OK : RVL_RESULT_UNSIGNED;
}

SELDOM static rvl_result maintain_cache(firmware *f, const rvl_slot *command) {
    const rvl_cache_ranges *ranges = &command->cache;
    bool clean = ranges->operation == RVL_CACHE_CLEAN;
    bool good =
        ranges->count <= RVL_CACHE_RANGES && (clean || ranges->operation == RVL_CACHE_INVALIDATE);
    for (uint32_t i = 0; good && i < ranges->count; ++i)
        good = regions_hold(f, ranges->range[i].address, ranges->range[i].bytes);
    for (uint32_t i = 0; good && i < ranges->count; ++i) {
        const void *at = (const void *)(uintptr_t)ranges->range[i].address;
        (clean ? clean_for_host : invalidate_for_device)(f, at, (size_t)ranges->range[i].bytes);
    }
    if (!good)
        firmware_log(f, 0, "cache maintenance outside the heap, or of an unknown kind");
    uint32_t *served = &f->shared->mailbox.cache_served; /* also counts refused requests */
    store_release(served, *served + 1);
    CLEAN_FOR_HOST(f, *served);
    return good ? RVL_RESULT_OK : RVL_RESULT_INVALID;
}

static rvl_result ping(firmware *f, const rvl_slot *command) {
    (void)f, (void)command;
    return RVL_RESULT_OK;
}

SELDOM static rvl_result inject(firmware *f, const rvl_slot *command) {
    return arch_inject(f, command->inject.kind) ? RVL_RESULT_OK : RVL_RESULT_INVALID;
}

/* An unknown launch number is not an error: the launch has already ended. */
SELDOM static rvl_result kill(firmware *f, const rvl_slot *command) {
    schedule_kill(f, command->kill.launch);
    return RVL_RESULT_OK;
}

SELDOM static rvl_result unknown(firmware *f, const rvl_slot *command) {
    firmware_log(f, 0, "unknown command: group %u, service %u", (unsigned)command->header.group,
                 (unsigned)command->header.service);
    return RVL_RESULT_UNKNOWN;
}

SELDOM static rvl_result too_short(firmware *f, const rvl_slot *command) {
    firmware_log(f, 0, "command of group %u, service %u has only %u bytes",
                 (unsigned)command->header.group, (unsigned)command->header.service,
                 (unsigned)command->header.length);
    return RVL_RESULT_INVALID;
}

typedef struct service {
    uint16_t group;
    uint8_t number;
    uint8_t bytes; /* minimum payload */
    enum { AT_ONCE, UNLOCKED, LAUNCH } kind;
    rvl_result (*serve)(firmware *, const rvl_slot *); /* its result completes the command */
} service;

/* The most frequent first. UNLOCKED: time proportional to its bytes, so it runs without the lock
 * and other harts continue. LAUNCH: becomes a struct launch, and completes when that ends. */
static const service services[] = {
    {RVL_GROUP_LAUNCH, RVL_LAUNCH_NDRANGE, RVL_LAUNCH_LEAST_BYTES, LAUNCH, NULL},
    {RVL_GROUP_BASE, RVL_BASE_PING, 0, AT_ONCE, ping},
    {RVL_GROUP_BASE, RVL_BASE_INJECT, sizeof(rvl_inject), AT_ONCE, inject},
    {RVL_GROUP_BASE, RVL_BASE_SAMPLE, sizeof(rvl_sampling), AT_ONCE, sample_start},
    {RVL_GROUP_MEMORY, RVL_MEMORY_LOAD_CODE, RVL_LOAD_CODE_LEAST_BYTES, UNLOCKED, load_code},
    {RVL_GROUP_MEMORY, RVL_MEMORY_CACHE, sizeof(rvl_cache_ranges), UNLOCKED, maintain_cache},
    {RVL_GROUP_LAUNCH, RVL_LAUNCH_WAIT, sizeof(rvl_wait), LAUNCH, NULL},
    {RVL_GROUP_LAUNCH, RVL_LAUNCH_UNIT, sizeof(rvl_launch), LAUNCH, NULL},
    {RVL_GROUP_LAUNCH, RVL_LAUNCH_KILL, sizeof(rvl_kill), AT_ONCE, kill},
};
static const service unknown_service = {0, 0, 0, AT_ONCE, unknown};
static const service too_short_service = {0, 0, 0, AT_ONCE, too_short};

static const service *find_service(const rvl_header *header) {
    for (size_t i = 0; i < sizeof services / sizeof *services; ++i)
        if (services[i].group == header->group && services[i].number == header->service)
            return header->length < services[i].bytes ? &too_short_service : &services[i];
    return &unknown_service;
}

/* Used while all struct launches are taken or the completion ring is full: a kill queued behind
 * other commands must still take effect, or the device might never become free. The kill is
 * completed when its turn comes. True if there is more to look at. */
SELDOM static bool look_ahead_for_kills(firmware *f, uint32_t head, uint32_t tail) {
    if (f->kills_seen - head > tail - head)
        f->kills_seen = head; /* already consumed, or from an earlier lap of the ring */
    for (int steps = 0; f->kills_seen != tail; ++f->kills_seen) {
        if (steps++ == STEPS_AT_ONCE)
            return true;
        const rvl_slot *slot = &f->shared->commands[f->kills_seen % COMMAND_SLOTS];
        INVALIDATE_FOR_DEVICE(f, *slot);
        if (slot->header.group == RVL_GROUP_LAUNCH && slot->header.service == RVL_LAUNCH_KILL)
            schedule_kill(f, slot->kill.launch);
    }
    return false;
}

/* The hart that has begun an unlocked command also serves the commands after it, in the order of
 * the ring; other harts leave them to it. */
static void serve(firmware *f, const service *service, const rvl_slot *command) {
    if (service->kind == UNLOCKED) {
        f->long_command = true;
        firmware_unlock(f);
    }
    rvl_result result = service->serve(f, command);
    if (service->kind == UNLOCKED) {
        firmware_lock(f);
        f->long_command = false;
    }
    if (service->serve == load_code)
        ++f->code_generation; /* checked by every hart before it enters a kernel */
    complete(f, command, result);
}

/* Returns false if the ring indices are inconsistent. */
static bool look_for_commands(firmware *f, uint32_t head, uint32_t *tail) {
    rvl_ring *ring = &f->shared->mailbox.commands;
    INVALIDATE_FOR_DEVICE(f, ring->tail);
    *tail = load_acquire(&ring->tail.value); /* order: command.take */
    bool damaged = *tail - head > COMMAND_SLOTS;
    if (damaged && *tail != f->commands_seen)
        firmware_log(f, 0, "the host damaged the command ring: head %lu, tail %lu",
                     (unsigned long)head, (unsigned long)*tail);
    store_relaxed(&f->commands_seen, *tail);
    return !damaged; /* serving it would run old launches again */
}

/* A launch, if so. */
static bool is_of_latest_kind(const firmware *f, rvl_header header) {
    return f->kind && header_bits(common_part(header)) == header_bits(f->kind->command.header);
}

static const rvl_slot *slot_at(const firmware *f, uint32_t index) {
    const rvl_slot *slot = &f->shared->commands[index % COMMAND_SLOTS];
    INVALIDATE_FOR_DEVICE(f, *slot);
    return slot;
}

SELDOM bool service_is_wait_for(const rvl_slot *slot, uint32_t launch) {
    const rvl_header header = slot->header;
    return header.group == RVL_GROUP_LAUNCH && header.service == RVL_LAUNCH_WAIT &&
           header.length >= sizeof(rvl_wait) && slot->wait.count == 1 && !slot->wait.failed &&
           slot->wait.launch[0] == launch;
}

/* Whether the two slots from `index` on are a wait for the launch before and the next one. */
SELDOM static bool changes_stream(firmware *f, uint32_t index, uint32_t head, uint32_t tail) {
    const launch *newest = f->chain->newest;
    if (index == head && !newest)
        return false;
    const uint32_t before =
        index == head ? newest->command.launch : slot_at(f, index - 1)->launch.launch;
    const rvl_slot *slot = slot_at(f, index);
    const uint32_t stream = slot->wait.stream;
    if (tail - index < 2 || !service_is_wait_for(slot, before) ||
        !launch_is_like(f->kind, stream, slot_at(f, index + 1)))
        return false;
    f->chain_end_stream = stream;
    return true;
}

/* Finds out how many slots behind `head` belong to the chain: launches like the one before, in its
 * stream or behind a wait for it. What is compared here is not read again when it is their turn.
 * Returns false if there are more to look at. */
static bool look_for_chain(firmware *f, uint32_t head, uint32_t tail) {
    enum { LOOKS_AT_ONCE = 8 * STEPS_AT_ONCE };
    const launch_kind *kind = f->kind;
    if (!KEEPS_CHAINS || !f->chain || !kind || !(kind->command.header.flags & RVL_FLAG_BARRIER))
        return true;
    if (f->chain_end - head > tail - head || f->chain_kind != kind->number) {
        f->chain_end = head;
        if (f->chain_kind != kind->number)
            f->words_range = 0;
        f->chain_kind = kind->number;
        f->chain_end_stream = f->chain->number;
    }
    const launch_kind like = *kind; /* in registers */
    const rvl_slot *slots = f->shared->commands;
    const bool noncoherent = f->noncoherent;
    uint32_t end = f->chain_end, stream = f->chain_end_stream;
    const uint32_t last = tail - end > LOOKS_AT_ONCE ? end + LOOKS_AT_ONCE : tail;
    while (end - head < last - head) {
        const rvl_slot *slot = &slots[end % COMMAND_SLOTS];
        if (noncoherent)
            INVALIDATE_FOR_DEVICE(f, *slot);
        if (launch_is_like(&like, stream, slot)) {
            ++end;
        } else if (changes_stream(f, end, head, tail)) {
            end += 2;
            stream = f->chain_end_stream;
        } else {
            f->chain_end = end;
            return true;
        }
    }
    f->chain_end = end;
    return end == tail;
}

/* If all that is in the ring are launches of which each waits for the one before, they stay there
 * until it is their turn: schedule_follow then takes them with much less work. A hart that needs a
 * decision after the launch that they wait for looks here again. At least a quarter of the ring
 * stays free, for kills and launches of other streams. To the host, nothing differs from a firmware
 * that is late. */
static bool stays_in_ring(const firmware *f, uint32_t head, uint32_t tail) {
    const stream *chain = f->chain;
    return KEEPS_CHAINS && chain && f->kind && f->chain_kind == f->kind->number &&
           f->chain_end == tail && tail - head <= COMMAND_SLOTS * 3 / 4 && chain->newest;
}

static bool take_left(firmware *f) {
    const uint32_t head = *f->words.command_head;
    const rvl_slot *slot = slot_at(f, head);
    const rvl_header header = slot->header;
    read_once();
    const bool usual = is_of_latest_kind(f, header);
    if (!f->left || !schedule_has_room(f) ||
        (usual ? services : find_service(&header))->kind != LAUNCH)
        return false;
    --f->left;
    schedule_add(f, header, slot, usual);
    service_free_commands(f, head + 1);
    return header.service == RVL_LAUNCH_WAIT;
}

void service_take_left(firmware *f) {
    if (take_left(f))
        take_left(f);
}

/* True if it has to be called again: other harts may have left newer commands to this one. */
static bool serve_ring(firmware *f) {
    if (f->long_command)
        return false;
    f->left = 0;
    if (!session_serve(f))
        return f->abandoning;
    uint32_t head = *f->words.command_head, tail;
    if (!look_for_commands(f, head, &tail))
        return false;
    f->commands_wait = false;
    bool looks = true;
    for (int steps = 0; head != tail; ++steps) {
        looks |= f->chain_end - head > tail - head;
        if (looks && !look_for_chain(f, head, tail)) {
            service_free_commands(f, head);
            return true;
        }
        looks = false;
        if (stays_in_ring(f, head, tail)) {
            f->left = tail - head;
            break;
        }
        if (steps == STEPS_AT_ONCE) {
            service_free_commands(f, head);
            return true;
        }
        const rvl_slot *slot = slot_at(f, head);
        const rvl_header header = slot->header;
        read_once();
        const bool usual = is_of_latest_kind(f, header);
        const service *service = usual ? services : find_service(&header);
        completion_flush(f);
        if (service->kind == LAUNCH ? !schedule_has_room(f) : !completion_room(f)) {
            service_free_commands(f, head);
            f->commands_wait = true;
            return look_ahead_for_kills(f, head, tail);
        }
        ++head;
        if (service->kind == LAUNCH) {
            schedule_add(f, header, slot, usual);
            continue;
        }
        rvl_slot command = *slot;
        command.header = header;
        read_once();
        serve(f, service, &command);
        service_free_commands(f, head);
        if (service->kind == UNLOCKED)
            return true;
    }
    service_free_commands(f, head);
    return false;
}

void service_commands(firmware *f) {
    while (serve_ring(f))
        firmware_yield_lock(f);
}

bool service_nothing_new(firmware *f) {
    rvl_mailbox *mailbox = &f->shared->mailbox;
    store_relaxed(f->words.notify_enabled, 1);
    CLEAN_FOR_HOST(f, *f->words.notify_enabled);
    fence_all(); /* order: command.ask_for_bell */
    INVALIDATE_FOR_DEVICE(f, mailbox->commands.tail);
    uint32_t tail = load_acquire(&mailbox->commands.tail.value); /* order: command.last_look */
    return f->long_command || (tail == f->commands_seen && !session_is_changing(f));
}
