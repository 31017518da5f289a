// SPDX-License-Identifier: Apache-2.0
//
// Runs under Linux on some harts and talks to the firmware on the others through the window that
// /dev/mem shows: attaches, pings, leaves. One line for each step.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "hal/protocol/mailbox.h"

enum { SESSION = 0x616d70, PINGS = 100 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int wait_for(volatile const uint32_t *word, uint32_t value) {
    for (double end = now() + 60; now() < end;) {
        if (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value)
            return 1;
        usleep(100);
    }
    return 0;
}

int main(int argc, char **argv) {
    const off_t base = 0x80000000, at = 0x80100000;
    const size_t bytes = 0x200000;
    const int memory = open(argc > 1 ? argv[1] : "/dev/mem", O_RDWR | O_SYNC);
    char *window = memory < 0 ? MAP_FAILED
                              : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, base);
    if (window == MAP_FAILED) {
        perror("amp: no window");
        return 1;
    }
    rvl_mailbox *mailbox = (rvl_mailbox *)(window + (at - base));
    rvl_hello *hello = &mailbox->hello;
    if (!wait_for(&hello->state, RVL_STATE_DETACHED)) {
        printf("amp: no firmware: magic 0x%x, state %u\n", hello->magic, hello->state);
        return 1;
    }
    printf("amp: hello of %s, %u harts, VLEN %u\n", hello->board, hello->harts, hello->vlen);
    mailbox->boot.magic = RVL_MAILBOX_MAGIC;
    mailbox->boot.protocol = RVL_PROTOCOL_VERSION;
    mailbox->boot.flags = 0;
    mailbox->boot.heartbeat_ms = 100;
    __atomic_store_n(&mailbox->boot.session, SESSION, __ATOMIC_RELEASE);
    if (!wait_for(&hello->session, SESSION) || !wait_for(&hello->state, RVL_STATE_RUNNING)) {
        printf("amp: not attached, state %u\n", hello->state);
        return 1;
    }
    printf("amp: attached\n");
    rvl_slot *commands = (rvl_slot *)(window + (hello->command_ring - (uint64_t)base));
    uint32_t tail = mailbox->commands.tail.value;
    uint32_t done = mailbox->completions.tail.value;
    const double begin = now();
    for (int i = 0; i < PINGS; ++i) {
        rvl_slot *slot = &commands[tail & (hello->command_slots - 1)];
        memset(slot, 0, sizeof *slot);
        slot->header.group = RVL_GROUP_BASE;
        slot->header.service = RVL_BASE_PING;
        slot->header.token = (uint16_t)i;
        __atomic_store_n(&mailbox->commands.tail.value, ++tail, __ATOMIC_RELEASE);
        if (!wait_for(&mailbox->completions.tail.value, ++done)) {
            printf("amp: ping %d is not answered\n", i);
            return 1;
        }
        __atomic_store_n(&mailbox->completions.head.value, done, __ATOMIC_RELEASE);
    }
    printf("amp: %d pings, %.0f us each\n", PINGS, (now() - begin) * 1e6 / PINGS);
    printf("amp: heartbeat %u\n", mailbox->heartbeat.count);
    mailbox->boot.magic = 0;
    __atomic_store_n(&mailbox->boot.session, 0, __ATOMIC_RELEASE);
    printf(wait_for(&hello->state, RVL_STATE_DETACHED) ? "amp: left\n" : "amp: still held\n");
    return 0;
}
