/* SPDX-License-Identifier: Apache-2.0
 *
 * A host of protocol 1.1 and HAL 1.0 with a current driver and current firmware: it boots the
 * firmware, loads code, and launches kernels by the rules and the structures of that day. Its
 * kernels are RISC-V code of that day, too. Arguments: a driver's file, its name, a firmware file,
 * and settings of the device ("machine=rv64-v128"). */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hal/tests/frozen/hal_1_0.h"
#include "hal/tests/frozen/protocol_1_1.h"

enum {
    HARTS = 2,
    GROUPS = 1000,
    FIRST_VALUE = 70,
    ARENA_PAGES = 16,
    PATIENCE_S = 60,
    WAIT_NS = 10000000,
    /* Offsets in the code below. */
    IOTA = 64,
    SPIN = 192,
    WILD = 256,
};

/* Built by clang 22 for rv64ima; the comments are its source. */
static const uint32_t code[] = {
    0x000680e7,              /* start: jalr a3                                  */
    0x00000893,              /*        li a7, 0             # RVL_ECALL_EXIT    */
    0x00000073,              /*        ecall                                    */
    [IOTA / 4] = 0x06452283, /* iota: lw t0, 100(a0)   # chunk             */
    0x06052303,              /*        lw t1, 96(a0)        # total_groups      */
    0x0c053383,              /*        ld t2, 192(a0)       # where to          */
    0x0c852e03,              /*        lw t3, 200(a0)       # the first value   */
    0x0055aeaf,              /* 1:     amoadd.w t4, t0, (a1)                    */
    0x026efe63,              /*        bgeu t4, t1, 4f                          */
    0x01d62a23,              /*        sw t4, 20(a2)        # first_group       */
    0x005e8f33,              /*        add t5, t4, t0                           */
    0x01e37463,              /*        bleu t5, t1, 2f                          */
    0x00030f13,              /*        mv t5, t1                                */
    0x41df0fb3,              /* 2:     sub t6, t5, t4                           */
    0x01f62c23,              /*        sw t6, 24(a2)        # groups            */
    0x002e9713,              /* 3:     slli a4, t4, 2                           */
    0x00770733,              /*        add a4, a4, t2                           */
    0x01de07bb,              /*        addw a5, t3, t4                          */
    0x00f72023,              /*        sw a5, 0(a4)                             */
    0x001e8e93,              /*        addi t4, t4, 1                           */
    0xffeee6e3,              /*        bltu t4, t5, 3b                          */
    0x0405a703,              /*        lw a4, 64(a1)        # yield             */
    0xfc0702e3,              /*        beqz a4, 1b                              */
    0x00008067,              /* 4:     ret                                      */
    [SPIN / 4] = 0x0000006f, /* spin: j spin                               */
    [WILD / 4] = 0x0c853283, /* wild: ld t0, 200(a0)                       */
    0x0002a023,              /*        sw zero, 0(t0)                           */
    0x00008067,              /*        ret                                      */
};

static const rvl_driver *driver;
static rvl_device *device;
static uint64_t mailbox;
static rvl_hello hello;
static uint32_t commands, completions; /* own indices */
static uint32_t launches;
static uint16_t tokens;
static uint64_t code_at, arena, free_at;

__attribute__((format(printf, 1, 2), noreturn)) static void give_up(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static void check(rvl_status status, const char *what) {
    if (status != RVL_OK)
        give_up("%s: status %d", what, (int)status);
}

static void expect(bool holds, const char *what) {
    if (!holds)
        give_up("not so: %s", what);
}
#define EXPECT(condition) expect(condition, #condition)

static void get(uint64_t address, void *to, size_t bytes) {
    check(driver->read(device, address, to, bytes), "reading");
}

static void put(uint64_t address, const void *from, size_t bytes) {
    check(driver->write(device, address, from, bytes), "writing");
}

static uint32_t word_at(uint64_t address) {
    uint32_t word;
    get(address, &word, sizeof word);
    return word;
}

static void put_word(uint64_t address, uint32_t word) { put(address, &word, sizeof word); }

#define MAILBOX(field) (mailbox + offsetof(rvl_mailbox, field))

static void fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

static void wait_for_bell(const struct timespec *since) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec - since->tv_sec > PATIENCE_S)
        give_up("nothing happened for %d s", PATIENCE_S);
    const rvl_status status = driver->wait(device, WAIT_NS);
    if (status != RVL_OK && status != RVL_TIMEOUT)
        give_up("waiting: status %d", (int)status);
}

static struct timespec now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time;
}

/* The note of owner "Rivulet" in the firmware's ELF file. */
static rvl_firmware_note note_of(const unsigned char *file, size_t bytes) {
    static const uint32_t head[3] = {sizeof "Rivulet", sizeof(rvl_firmware_note),
                                     RVL_FIRMWARE_NOTE};
    rvl_firmware_note note;
    for (size_t at = 0; at + sizeof head + sizeof "Rivulet" + sizeof note <= bytes; at += 4)
        if (memcmp(file + at, head, 4) == 0 && memcmp(file + at + 8, head + 2, 4) == 0 &&
            memcmp(file + at + sizeof head, "Rivulet", sizeof "Rivulet") == 0) {
            memcpy(&note, file + at + sizeof head + sizeof "Rivulet", sizeof note);
            return note;
        }
    give_up("the firmware has no note");
}

static void load(const char *path) {
    FILE *const file = fopen(path, "rb");
    static unsigned char contents[4 << 20];
    const size_t bytes = file ? fread(contents, 1, sizeof contents, file) : 0;
    if (bytes == 0 || bytes == sizeof contents)
        give_up("%s can't be read", path);
    fclose(file);
    const rvl_firmware_note note = note_of(contents, bytes);
    EXPECT(RVL_VERSION_MAJOR(note.protocol) == RVL_VERSION_MAJOR(RVL_PROTOCOL_VERSION));
    mailbox = note.mailbox;
    check(driver->load(device, contents, bytes), "loading the firmware");
}

static void boot(const char *path) {
    load(path);
    rvl_mailbox blank;
    memset(&blank, 0, sizeof blank);
    blank.boot.magic = RVL_MAILBOX_MAGIC;
    blank.boot.protocol = RVL_PROTOCOL_VERSION;
    blank.boot.heartbeat_ms = 100;
    put(mailbox, &blank, sizeof blank);
    check(driver->start(device), "starting");
    const struct timespec since = now();
    while (word_at(MAILBOX(hello) + offsetof(rvl_hello, state)) != RVL_STATE_RUNNING)
        wait_for_bell(&since);
    get(MAILBOX(hello), &hello, sizeof hello);
    EXPECT(hello.magic == RVL_MAILBOX_MAGIC);
    EXPECT(RVL_VERSION_MAJOR(hello.protocol) == RVL_VERSION_MAJOR(RVL_PROTOCOL_VERSION));
    EXPECT(hello.bytes >= sizeof hello);
    EXPECT(hello.harts == HARTS && hello.xlen == 64 && hello.timebase != 0);
    EXPECT(hello.statistics != 0 && hello.crash != 0);
    commands = completions = 0;
}

static uint16_t submit(rvl_slot slot) {
    slot.header.token = ++tokens;
    const uint64_t tail = MAILBOX(commands) + offsetof(rvl_ring, tail);
    put(hello.command_ring + (commands & (hello.command_slots - 1)) * sizeof slot, &slot,
        sizeof slot);
    fence();
    put_word(tail, ++commands);
    fence();
    if (word_at(MAILBOX(device_bell_wanted)) != 0)
        check(driver->ring(device, 1), "ringing");
    return tokens;
}

/* The next completion. */
static rvl_slot next(void) {
    const uint64_t tail = MAILBOX(completions) + offsetof(rvl_ring, tail);
    const struct timespec since = now();
    while (word_at(tail) == completions) {
        EXPECT(word_at(MAILBOX(hello) + offsetof(rvl_hello, state)) == RVL_STATE_RUNNING);
        put_word(MAILBOX(host_bell_wanted), 1);
        fence();
        if (word_at(tail) == completions)
            wait_for_bell(&since);
        put_word(MAILBOX(host_bell_wanted), 0);
    }
    fence();
    rvl_slot slot;
    get(hello.completion_ring + (completions & (hello.completion_slots - 1)) * sizeof slot, &slot,
        sizeof slot);
    fence();
    put_word(MAILBOX(completions) + offsetof(rvl_ring, head), ++completions);
    EXPECT((slot.header.flags & RVL_FLAG_COMPLETION) != 0);
    return slot;
}

static rvl_completion completion_of(uint16_t token) {
    const rvl_slot slot = next();
    EXPECT(slot.header.token == token);
    return slot.completion;
}

static rvl_slot command(uint16_t group, uint8_t service, uint16_t length) {
    rvl_slot slot;
    memset(&slot, 0, sizeof slot);
    slot.header.group = group;
    slot.header.service = service;
    slot.header.length = length;
    return slot;
}

static uint64_t allocate(size_t pages) {
    static const unsigned char zeros[RVL_PAGE_BYTES];
    const uint64_t address = free_at;
    for (; pages != 0; --pages, free_at += RVL_PAGE_BYTES)
        put(free_at, zeros, sizeof zeros);
    EXPECT(free_at <= arena + ARENA_PAGES * RVL_PAGE_BYTES);
    return address;
}

/* A launch whose record and words are in the arena, as they were before 1.2. */
static rvl_slot launch(uint64_t kernel, uint64_t buffer, uint64_t value, uint32_t groups) {
    rvl_launch_record record;
    memset(&record, 0, sizeof record);
    record.version = RVL_PROTOCOL_VERSION;
    record.dimensions = 1;
    record.start = record.image_base = code_at;
    record.kernel = code_at + kernel;
    for (int i = 0; i < 3; ++i) {
        record.global_size[i] = record.group_count[i] = i == 0 ? groups : 1;
        record.local_size[i] = 1;
    }
    record.total_groups = groups;
    record.chunk = 7;
    record.stack_bytes = 1024;
    record.argument_bytes = 16;
    memcpy(record.arguments, &buffer, sizeof buffer);
    memcpy(record.arguments + sizeof buffer, &value, sizeof value);
    const uint64_t address = allocate(RVL_LAUNCH_BYTES / RVL_PAGE_BYTES);
    put(address, &record, sizeof record);

    rvl_slot slot = command(RVL_GROUP_LAUNCH, RVL_LAUNCH_NDRANGE, sizeof slot.launch);
    slot.launch.launch = ++launches;
    slot.launch.stream = 1;
    slot.launch.record = address;
    slot.launch.arena_page = (uint32_t)(arena / RVL_PAGE_BYTES);
    slot.launch.arena_pages = ARENA_PAGES;
    slot.launch.code_page = (uint32_t)(code_at / RVL_PAGE_BYTES);
    slot.launch.code_pages = 1;
    /* Fields and flags of later versions are zeros in this host's commands. */
    memset(slot.payload + sizeof slot.launch, 0, sizeof slot.payload - sizeof slot.launch);
    return slot;
}

static void load_code(void) {
    code_at = (hello.heap_base + RVL_PAGE_BYTES - 1) & ~(uint64_t)(RVL_PAGE_BYTES - 1);
    arena = free_at = code_at + RVL_PAGE_BYTES;
    const uint64_t staging = allocate(1);
    put(staging, code, sizeof code);
    rvl_slot slot = command(RVL_GROUP_MEMORY, RVL_MEMORY_LOAD_CODE, sizeof slot.load_code);
    slot.load_code.destination = code_at;
    slot.load_code.source = staging;
    slot.load_code.bytes = sizeof code;
    EXPECT(completion_of(submit(slot)).result == RVL_RESULT_OK);
}

static void kernels_give_results(void) {
    const uint64_t buffer = allocate(1);
    const rvl_slot slot = launch(IOTA, buffer, FIRST_VALUE, GROUPS);
    const rvl_completion done = completion_of(submit(slot));
    EXPECT(done.result == RVL_RESULT_OK && done.launch == slot.launch.launch);
    EXPECT(done.fault == RVL_FAULT_NONE && done.start <= done.end && done.harts != 0);
    uint32_t values[GROUPS];
    get(buffer, values, sizeof values);
    for (uint32_t i = 0; i < GROUPS; ++i)
        if (values[i] != FIRST_VALUE + i)
            give_up("value %u is %u", i, values[i]);
    uint64_t groups = 0;
    for (uint32_t i = 0; i < hello.harts; ++i) {
        rvl_hart_statistics statistics;
        get(hello.statistics + i * sizeof statistics, &statistics, sizeof statistics);
        groups += statistics.groups;
    }
    EXPECT(groups == GROUPS);
}

static void faults_are_reported(void) {
    rvl_slot slot = launch(WILD, 0, mailbox, 1);
    rvl_completion done = completion_of(submit(slot));
    EXPECT(done.result == RVL_RESULT_FAULT && done.fault < hello.fault_slots);
    rvl_fault fault;
    get(hello.fault_table + done.fault * sizeof fault, &fault, sizeof fault);
    EXPECT(fault.launch == slot.launch.launch && fault.kind == RVL_FAULT_STORE);
    EXPECT(fault.value == mailbox && fault.pc == code_at + WILD + 4);

    /* What follows a failure with ON_SUCCESS is skipped, in this stream. */
    const uint16_t fails = submit(launch(WILD, 0, mailbox, 1));
    slot = launch(IOTA, arena, 0, 1);
    slot.header.flags = RVL_FLAG_BARRIER | RVL_FLAG_ON_SUCCESS;
    const uint16_t skipped = submit(slot);
    EXPECT(completion_of(fails).result == RVL_RESULT_FAULT);
    EXPECT(completion_of(skipped).result == RVL_RESULT_SKIPPED);
}

static void endless_kernels_end(void) {
    rvl_slot slot = launch(SPIN, 0, 0, 1);
    slot.launch.time_limit = 100;
    EXPECT(completion_of(submit(slot)).result == RVL_RESULT_TIME_LIMIT);

    slot = launch(SPIN, 0, 0, 1);
    const uint16_t killed = submit(slot);
    rvl_slot kill = command(RVL_GROUP_LAUNCH, RVL_LAUNCH_KILL, sizeof kill.kill);
    kill.kill.launch = slot.launch.launch;
    const uint16_t order = submit(kill);
    for (int i = 0; i < 2; ++i) { /* in either order */
        const rvl_slot done = next();
        EXPECT(done.header.token == killed || done.header.token == order);
        EXPECT(done.completion.result ==
               (done.header.token == killed ? (uint32_t)RVL_RESULT_KILLED : RVL_RESULT_OK));
    }
}

static void bad_commands_are_refused(void) {
    rvl_slot slot = launch(IOTA, arena, 0, 1);
    slot.launch.arena_page = (uint32_t)(mailbox / RVL_PAGE_BYTES);
    EXPECT(completion_of(submit(slot)).result == RVL_RESULT_INVALID);
    EXPECT(completion_of(submit(command(99, 1, 0))).result == RVL_RESULT_UNKNOWN);
}

static void device_lives(void) {
    const rvl_completion done = completion_of(submit(command(RVL_GROUP_BASE, RVL_BASE_PING, 0)));
    EXPECT(done.result == RVL_RESULT_OK && done.start == done.end);
    const uint64_t heartbeat = MAILBOX(heartbeat) + offsetof(rvl_heartbeat, count);
    const uint32_t count = word_at(heartbeat);
    const struct timespec since = now();
    while (word_at(heartbeat) == count)
        wait_for_bell(&since);
}

static void failures_are_reported(void) {
    rvl_slot slot = command(RVL_GROUP_BASE, RVL_BASE_INJECT, sizeof slot.inject);
    slot.inject.kind = RVL_INJECT_TRAP;
    submit(slot);
    const struct timespec since = now();
    while (word_at(MAILBOX(hello) + offsetof(rvl_hello, state)) != RVL_STATE_CRASHED)
        wait_for_bell(&since);
    char log[512] = "";
    const uint32_t tail = word_at(MAILBOX(log) + offsetof(rvl_ring, tail));
    EXPECT(tail <= hello.log_bytes);
    const uint32_t bytes = tail < sizeof log - 1 ? tail : (uint32_t)sizeof log - 1;
    get(hello.log_ring + tail - bytes, log, bytes);
    EXPECT(strstr(log, "firmware trap") != NULL);
}

static void open_device(int argc, char **argv) {
    void *const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        give_up("%s", dlerror());
    const rvl_driver *(*find)(const char *);
    *(void **)&find = dlsym(library, "rvl_driver_named");
    driver = find ? find(argv[2]) : NULL;
    if (!driver || driver->size < offsetof(rvl_driver, describe))
        give_up("no such driver");
    const char *entries[16] = {"harts=2"};
    for (int i = 4; i < argc; ++i)
        entries[i - 3] = argv[i];
    const rvl_config config = {sizeof config, entries};
    static rvl_host host = {.size = sizeof host};
    rvl_device_desc description = {.size = sizeof description};
    size_t count = 0;
    check(driver->enumerate(&config, &host, &description, 1, &count), "looking for devices");
    EXPECT(count == 1);
    check(driver->open(&config, &description, &host, &device), "opening the device");
}

int main(int argc, char **argv) {
    if (argc < 4 || argc > 16)
        give_up("old_host DRIVER NAME FIRMWARE [SETTING…]");
    open_device(argc, argv);
    for (int life = 0; life < 2; ++life) {
        boot(argv[3]);
        device_lives();
        load_code();
        kernels_give_results();
        faults_are_reported();
        endless_kernels_end();
        bad_commands_are_refused();
        failures_are_reported();
        check(driver->reset(device), "resetting");
    }
    driver->close(device);
    return 0;
}
