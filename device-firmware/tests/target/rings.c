/* SPDX-License-Identifier: Apache-2.0
 *
 * The rings' indices around 2^32, with this hart as host and device. */
#include <string.h>

#include "device-firmware/core/lock.h"
#include "device-firmware/core/service.h"
#include "device-firmware/tests/target/target.h"

static uint32_t tokens;

static void attach(firmware *f, uint32_t index) {
    rvl_mailbox *mailbox = &f->shared->mailbox;
    mailbox->commands.head.value = mailbox->commands.tail.value = index;
    mailbox->completions.head.value = mailbox->completions.tail.value = index;
    mailbox->boot.magic = RVL_MAILBOX_MAGIC;
    mailbox->boot.protocol = RVL_PROTOCOL_VERSION;
    store_release(&mailbox->boot.session, mailbox->boot.session + 1);
    firmware_lock(f);
    service_commands(f);
    firmware_unlock(f);
    CHECK(mailbox->hello.state == RVL_STATE_RUNNING);
    tokens = 0;
}

static void send_pings(firmware *f, uint32_t count) {
    rvl_mailbox *mailbox = &f->shared->mailbox;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t tail = mailbox->commands.tail.value;
        f->shared->commands[tail % COMMAND_SLOTS] =
            (rvl_slot){.header = {RVL_GROUP_BASE, RVL_BASE_PING, 0, 0, (uint16_t)tokens++}};
        store_release(&mailbox->commands.tail.value, tail + 1);
    }
    firmware_lock(f);
    service_commands(f);
    firmware_unlock(f);
}

static void take_completions(firmware *f, uint32_t count, uint32_t first_token) {
    rvl_mailbox *mailbox = &f->shared->mailbox;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t head = mailbox->completions.head.value;
        CHECK(head != mailbox->completions.tail.value);
        const rvl_slot *slot = &f->shared->completions[head % COMPLETION_SLOTS];
        CHECK(slot->header.flags & RVL_FLAG_COMPLETION);
        CHECK(slot->header.token == (uint16_t)(first_token + i));
        CHECK(slot->completion.result == RVL_RESULT_OK);
        store_release(&mailbox->completions.head.value, head + 1);
    }
    CHECK(mailbox->completions.head.value == mailbox->completions.tail.value);
}

static void wrap(firmware *f) {
    attach(f, UINT32_MAX - 1500);
    for (uint32_t round = 0; round < 40; ++round) {
        send_pings(f, 77);
        take_completions(f, 77, round * 77);
    }
    CHECK(f->shared->mailbox.commands.head.value == UINT32_MAX - 1500 + 40 * 77);
}

static void full(firmware *f) {
    attach(f, UINT32_MAX - 500);
    send_pings(f, COMMAND_SLOTS);
    CHECK(f->shared->mailbox.commands.head.value == f->shared->mailbox.commands.tail.value);
    send_pings(f, 3); /* there is no room among the completions */
    CHECK(f->shared->mailbox.commands.tail.value - f->shared->mailbox.commands.head.value == 3);
    CHECK(f->commands_wait);
    take_completions(f, COMPLETION_SLOTS, 0);
    send_pings(f, 0);
    take_completions(f, 3, COMPLETION_SLOTS);
}

static void damaged(firmware *f) {
    attach(f, 100);
    send_pings(f, 2);
    take_completions(f, 2, 0);
    const uint32_t head = f->shared->mailbox.commands.head.value;
    f->shared->mailbox.commands.tail.value = head + COMMAND_SLOTS + 1;
    send_pings(f, 0);
    CHECK(f->shared->mailbox.commands.head.value == head);
    CHECK(f->shared->mailbox.completions.head.value == f->shared->mailbox.completions.tail.value);
    f->shared->mailbox.commands.tail.value = head;
    send_pings(f, 1);
    take_completions(f, 1, 2);
}

const target_test ring_tests[] = {
    {"rings go on around 2^32", wrap},
    {"a full ring loses nothing", full},
    {"a damaged tail is not served", damaged},
    {0},
};
