// SPDX-License-Identifier: Apache-2.0
//
// Runs under Linux on some harts and talks to the firmware on the others through the window that
// /dev/mem shows: attaches, pings, runs a kernel, leaves. One line for each step.
//
//   window [ADDRESS]    an address of the firmware that must be out of reach
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hal/protocol/launch.h"
#include "hal/protocol/mailbox.h"

enum { SESSION = 0x616d70, PINGS = 100, GROUPS = 1000 };

// A kernel: writes the square of each work-group's number to the array that is its argument. It is
// for harts like these, and runs at another address. Offsets as in hal/protocol/launch.h.
extern const char kernel_begin[], kernel_body[], kernel_end[];
__asm__(".section .rodata\n"
        ".option push\n"
        ".option norvc\n"
        ".balign 4\n"
        "kernel_begin:\n"
        "   jalr a3\n"
        "   li a7, 0\n"
        "   ecall\n"
        "kernel_body:\n"
        "   lwu t0, 100(a0)\n"
        "   amoadd.w t1, t0, (a1)\n"
        "   lwu t2, 96(a0)\n"
        "   bgeu t1, t2, 1f\n"
        "   ld t3, 192(a0)\n"
        "   slli t4, t1, 2\n"
        "   add t3, t3, t4\n"
        "   mul t4, t1, t1\n"
        "   sw t4, (t3)\n"
        "   j kernel_body\n"
        "1: ret\n"
        "kernel_end:\n"
        ".option pop\n"
        ".text\n");

static char *window;
static const off_t base = 0x80000000, at = 0x80100000;
static const size_t window_bytes = 0x2000000;
static rvl_mailbox *mailbox;

static void *host_address(uint64_t address) { return window + (address - (uint64_t)base); }

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

// Sends a command and waits for its completion; the result, or -1.
static int64_t submit(const rvl_slot *command) {
    const rvl_hello *hello = &mailbox->hello;
    const uint32_t tail = mailbox->commands.tail.value, done = mailbox->completions.tail.value;
    rvl_slot *commands = host_address(hello->command_ring);
    const rvl_slot *completions = host_address(hello->completion_ring);
    commands[tail & (hello->command_slots - 1)] = *command;
    __atomic_store_n(&mailbox->commands.tail.value, tail + 1, __ATOMIC_RELEASE);
    if (!wait_for(&mailbox->completions.tail.value, done + 1))
        return -1;
    const uint32_t result = completions[done & (hello->completion_slots - 1)].completion.result;
    __atomic_store_n(&mailbox->completions.head.value, done + 1, __ATOMIC_RELEASE);
    return result;
}

static void ping(void) {
    const double begin = now();
    for (int i = 0; i < PINGS; ++i) {
        const rvl_slot slot = {
            .header = {.group = RVL_GROUP_BASE, .service = RVL_BASE_PING, .token = (uint16_t)i}};
        if (submit(&slot) != RVL_RESULT_OK) {
            printf("amp: ping %d is not answered\n", i);
            return;
        }
    }
    printf("amp: %d pings, %.0f us each\n", PINGS, (now() - begin) * 1e6 / PINGS);
}

static void run_kernel(void) {
    const uint64_t code = mailbox->hello.heap_base, record_at = code + RVL_PAGE_BYTES;
    const uint64_t arena = code + 16 * RVL_PAGE_BYTES, out = arena + RVL_PAGE_BYTES;
    enum { CODE_PAGES = 2, ARENA_PAGES = 4 };
    const uint64_t bytes = (uint64_t)(kernel_end - kernel_begin);
    memcpy(host_address(out), kernel_begin, bytes);
    const rvl_slot load = {.header = {.group = RVL_GROUP_MEMORY,
                                      .service = RVL_MEMORY_LOAD_CODE,
                                      .length = sizeof(rvl_load_code)},
                           .load_code = {.destination = code, .source = out, .bytes = bytes}};
    if (submit(&load) != RVL_RESULT_OK) {
        printf("amp: no code is loaded\n");
        return;
    }
    rvl_launch_record record = {.version = RVL_PROTOCOL_VERSION,
                                .start = code,
                                .kernel = code + (uint64_t)(kernel_body - kernel_begin),
                                .total_groups = GROUPS,
                                .chunk = 1,
                                .stack_bytes = 1024,
                                .image_base = code,
                                .words = arena};
    memcpy(record.arguments, &out, sizeof out);
    memcpy(host_address(record_at), &record, sizeof record);
    memset(host_address(out), 0, GROUPS * sizeof(uint32_t));
    const rvl_slot launch = {.header = {.group = RVL_GROUP_LAUNCH,
                                        .service = RVL_LAUNCH_NDRANGE,
                                        .length = sizeof(rvl_launch)},
                             .launch = {.launch = 1,
                                        .stream = 1,
                                        .record = record_at,
                                        .arena_page = (uint32_t)(arena / RVL_PAGE_BYTES),
                                        .arena_pages = ARENA_PAGES,
                                        .code_page = (uint32_t)(code / RVL_PAGE_BYTES),
                                        .code_pages = CODE_PAGES,
                                        .time_limit = 60000}};
    const int64_t result = submit(&launch);
    const volatile uint32_t *squares = host_address(out);
    uint32_t right = 0;
    for (uint32_t i = 0; i < GROUPS; ++i)
        right += squares[i] == i * i;
    if (result == RVL_RESULT_OK && right == GROUPS)
        printf("amp: kernel ran, %u work-groups\n", right);
    else
        printf("amp: kernel failed: result %d, %u of %d right\n", (int)result, right, GROUPS);
}

// Reads the address in a process that such an access ends.
static void check_closed(int memory, off_t address) {
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const volatile uint32_t *word = mmap(NULL, 4096, PROT_READ, MAP_SHARED, memory, address);
        exit(word != MAP_FAILED && *word + 1 != 0 ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf(WIFSIGNALED(status) ? "amp: the firmware is out of reach\n"
                               : "amp: Linux reads the firmware's memory\n");
}

int main(int count, char **arguments) {
    const int memory = open("/dev/mem", O_RDWR | O_SYNC);
    window = memory < 0
                 ? MAP_FAILED
                 : mmap(NULL, window_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, base);
    if (window == MAP_FAILED) {
        perror("amp: no window");
        return 1;
    }
    mailbox = host_address((uint64_t)at);
    const rvl_hello *hello = &mailbox->hello;
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
    ping();
    run_kernel();
    printf("amp: heartbeat %u\n", mailbox->heartbeat.count);
    mailbox->boot.magic = 0;
    __atomic_store_n(&mailbox->boot.session, 0, __ATOMIC_RELEASE);
    printf(wait_for(&hello->state, RVL_STATE_DETACHED) ? "amp: left\n" : "amp: still held\n");
    if (count > 1)
        check_closed(memory, (off_t)strtoull(arguments[1], NULL, 0));
    return 0;
}
