/* SPDX-License-Identifier: Apache-2.0
 *
 * The command ring's consumer, and what each command does. */
#include <string.h>

#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"

static void complete(firmware *f, const rvl_slot *command, rvl_result result) {
    uint64_t now = arch_time(f);
    if (result == RVL_RESULT_OK && (command->header.flags & RVL_FLAG_SILENT))
        return;
    *completion_begin(f, command->header) =
        (rvl_completion){.result = result, .start = now, .end = now, .fault = RVL_FAULT_NONE};
    completion_publish(f);
}

static void load_code(firmware *f, const rvl_slot *command) {
    const rvl_load_code *load = &command->load_code;
    if (!launch_within(load->destination, load->bytes, f->heap, f->heap_bytes) ||
        !launch_within(load->source, load->bytes, f->heap, f->heap_bytes)) {
        firmware_log(f, 0, "load of code outside of the heap: 0x%lx from 0x%lx, %lu bytes",
                     (unsigned long)load->destination, (unsigned long)load->source,
                     (unsigned long)load->bytes);
        complete(f, command, RVL_RESULT_INVALID);
        return;
    }
    if (load->destination != load->source)
        memmove((void *)(uintptr_t)load->destination, (const void *)(uintptr_t)load->source,
                (size_t)load->bytes);
    ++f->code_generation; /* every hart looks at it before it enters a kernel */
    complete(f, command, RVL_RESULT_OK);
}

static void ping(firmware *f, const rvl_slot *command) { complete(f, command, RVL_RESULT_OK); }

static void inject(firmware *f, const rvl_slot *command) {
    complete(f, command, arch_inject(f, command->inject.kind) ? RVL_RESULT_OK : RVL_RESULT_INVALID);
}

/* That the launch is not known any more is no error: it has ended. */
static void kill(firmware *f, const rvl_slot *command) {
    schedule_kill(f, command->kill.launch);
    complete(f, command, RVL_RESULT_OK);
}

static void unknown(firmware *f, const rvl_slot *command) {
    firmware_log(f, 0, "unknown command: group %u, service %u", (unsigned)command->header.group,
                 (unsigned)command->header.service);
    complete(f, command, RVL_RESULT_UNKNOWN);
}

static void too_short(firmware *f, const rvl_slot *command) {
    firmware_log(f, 0, "command of group %u, service %u has only %u bytes",
                 (unsigned)command->header.group, (unsigned)command->header.service,
                 (unsigned)command->header.length);
    complete(f, command, RVL_RESULT_INVALID);
}

typedef struct service {
    uint16_t group;
    uint8_t number;
    uint8_t bytes; /* least payload            */
    bool launches; /* takes a struct launch; the others complete at once */
    void (*serve)(firmware *, const rvl_slot *);
} service;

static const service services[] = {
    {RVL_GROUP_BASE, RVL_BASE_PING, 0, false, ping},
    {RVL_GROUP_BASE, RVL_BASE_INJECT, sizeof(rvl_inject), false, inject},
    {RVL_GROUP_MEMORY, RVL_MEMORY_LOAD_CODE, sizeof(rvl_load_code), false, load_code},
    {RVL_GROUP_LAUNCH, RVL_LAUNCH_NDRANGE, sizeof(rvl_launch), true, schedule_add},
    {RVL_GROUP_LAUNCH, RVL_LAUNCH_KILL, sizeof(rvl_kill), false, kill},
};
static const service unknown_service = {0, 0, 0, false, unknown};
static const service too_short_service = {0, 0, 0, false, too_short};

static const service *find_service(const rvl_header *header) {
    for (size_t i = 0; i < sizeof services / sizeof *services; ++i)
        if (services[i].group == header->group && services[i].number == header->service)
            return header->length < services[i].bytes ? &too_short_service : &services[i];
    return &unknown_service;
}

/* All struct launches are taken, or the completion ring is full: a kill that stands behind other
 * commands must work all the same, or the device might never come free. It is completed when its
 * turn comes. */
static void look_ahead_for_kills(firmware *f, uint32_t head, uint32_t tail) {
    for (; head != tail; ++head) {
        const rvl_slot *slot = &f->shared->commands[head % COMMAND_SLOTS];
        if (slot->header.group == RVL_GROUP_LAUNCH && slot->header.service == RVL_LAUNCH_KILL)
            schedule_kill(f, slot->kill.launch);
    }
}

void service_commands(firmware *f) {
    if (!session_serve(f))
        return;
    rvl_ring *ring = &f->shared->mailbox.commands;
    uint32_t head = ring->head.value;
    uint32_t tail = load_acquire(&ring->tail.value); /* order: command.take */
    if (tail - head > COMMAND_SLOTS) {               /* to serve it would run old launches anew */
        if (tail != f->commands_seen)
            firmware_log(f, 0, "the host damaged the command ring: head %lu, tail %lu",
                         (unsigned long)head, (unsigned long)tail);
        store_relaxed(&f->commands_seen, tail);
        return;
    }
    store_relaxed(&f->commands_seen, tail);
    f->commands_wait = false;
    while (head != tail) {
        rvl_slot command = f->shared->commands[head % COMMAND_SLOTS];
        const service *service = find_service(&command.header);
        completion_flush(f);
        if (service->launches ? !f->free.first : !completion_room(f)) {
            look_ahead_for_kills(f, head, tail);
            f->commands_wait = true;
            return;
        }
        service->serve(f, &command);
        store_release(&ring->head.value, ++head); /* order: command.free */
    }
}

bool service_nothing_new(firmware *f) {
    rvl_mailbox *mailbox = &f->shared->mailbox;
    store_relaxed(&mailbox->device_bell_wanted.value, 1);
    fence_all();                                                 /* order: command.ask_for_bell */
    uint32_t tail = load_acquire(&mailbox->commands.tail.value); /* order: command.last_look */
    return tail == f->commands_seen && !session_is_changing(f);
}
