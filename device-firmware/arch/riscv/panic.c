/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles failures of the firmware itself: all harts stop, and the first one to fail writes a
 * report. */
#include <stdio.h>
#include <string.h>

#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/boot.h"
#include "device-firmware/core/cache.h"
#include "device-firmware/core/log.h"
#include "device-firmware/drivers/platform.h"

extern const uint8_t text_start[], text_end[];
uint32_t riscv_panicking;

__attribute__((aligned(4))) void riscv_park(void) {
    csr_write(XIE, 0);
    for (;;)
        __asm__ volatile("wfi");
}

static uint32_t index_of(const firmware *f, uint32_t hart_id) {
    for (uint32_t i = 0; i < f->harts; ++i)
        if (f->hart[i].id == hart_id)
            return i;
    return UINT32_MAX;
}

/* Saves the registers for a debugger: the kernel's if the hart runs one, otherwise the current
 * ones. */
__attribute__((noinline)) static void record_stop(firmware *f) {
    const uint32_t index = index_of(f, riscv_hart_id());
    if (index == UINT32_MAX)
        return;
    const hart *hart = &f->hart[index];
    rvl_crash_hart *record = &f->shared->crash_harts[index];
    uintptr_t own[32];
    riscv_save_registers(own);
    const uintptr_t *x = hart->launch && !hart->launch->unit ? hart->arch.x : own;
    for (int i = 0; i < 32; ++i)
        record->x[i] = x[i];
    record->launch = hart->launch ? hart->launch->command.launch : 0;
    store_release(&record->stopped, 1);
    CLEAN_FOR_HOST(f, *record);
}

void riscv_stop_if_panicking(void) {
    if (!load_acquire(&riscv_panicking))
        return;
    firmware *f = riscv_firmware();
    const uint32_t index = index_of(f, riscv_hart_id());
    if (index != UINT32_MAX)
        riscv_stop_own_unit(f, &f->hart[index]);
    record_stop(f);
    riscv_park();
}

/* Waits, within limits, until the other harts have saved their registers. A hart may be in the
 * middle of something long, and the clock may be what failed, so this counts iterations. */
static void wait_for_stops(const firmware *f, uint32_t own) {
    enum { LOOKS = 200000, LOOKS_BETWEEN_KICKS = 1000 };
    uint32_t stopped = 0;
    for (uint32_t look = 0; look < LOOKS && stopped < f->harts; ++look) {
        if (look % LOOKS_BETWEEN_KICKS == 0)
            riscv_kick_watchdog(f);
        stopped = own < f->harts;
        for (uint32_t i = 0; i < f->harts; ++i)
            if (i != own)
                stopped += load_acquire(&f->shared->crash_harts[i].stopped);
        arch_pause();
    }
}

static bool is_on_a_stack(uintptr_t address) {
    const uintptr_t stacks = (uintptr_t)hart_stacks;
    return address >= stacks && address < stacks + MAX_HARTS * HART_STACK_BYTES &&
           (address - stacks) % HART_STACK_BYTES >= HART_STACK_GUARD_BYTES;
}

/* Without frame pointers, anything on the stack that looks like a code address is taken for a
 * return address. */
static void describe_stack(rvl_crash *crash, uintptr_t sp) {
    const uintptr_t into =
        sp - (uintptr_t)hart_stacks; /* after an overflow, read from the end of the stack */
    if (into < MAX_HARTS * HART_STACK_BYTES && into % HART_STACK_BYTES < HART_STACK_GUARD_BYTES)
        sp += HART_STACK_GUARD_BYTES - into % HART_STACK_BYTES;
    const uintptr_t *word = (const uintptr_t *)(sp & -sizeof(uintptr_t));
    for (uint32_t i = 0; is_on_a_stack((uintptr_t)word); ++i, ++word) {
        if (i < RVL_CRASH_STACK_WORDS)
            crash->stack[i] = *word;
        if (*word >= (uintptr_t)text_start && *word < (uintptr_t)text_end &&
            crash->callers < RVL_CRASH_CALLERS)
            crash->caller[crash->callers++] = *word;
    }
}

/* The id of the hart whose stack failed; from now on that of the dedicated stack. */
static uint32_t take_hart_id(uintptr_t sp) {
    const uintptr_t stacks = (uintptr_t)hart_stacks;
    uint32_t *own =
        (uint32_t *)(stacks + (MAX_HARTS + 1) * HART_STACK_BYTES - HART_STACK_TOP_BYTES);
#ifdef BOARD_SUPERVISOR
    *own = sp - stacks < MAX_HARTS * HART_STACK_BYTES ? riscv_hart_id_on(sp) : UINT32_MAX;
#else
    (void)sp; /* it may be what is wrong */
    *own = (uint32_t)csr_read(mhartid);
#endif
    return *own;
}

typedef struct moment {
    firmware *f;
    uint64_t time;
} moment;

static void read_clock(uintptr_t argument) {
    moment *moment = (struct moment *)argument;
    moment->time = arch_time(moment->f);
}

uint64_t riscv_try_time(firmware *f) {
    moment now = {f, 0};
    (void)riscv_try(read_clock, (uintptr_t)&now);
    return now.time;
}

static void wake_others(uintptr_t f) { riscv_wake_other_harts((firmware *)f); }

void riscv_describe_trap(char *text, size_t bytes, uintptr_t cause, uintptr_t pc, uintptr_t value) {
    const size_t length = strlen(text);
    snprintf(text + length, bytes - length,
             CSR_TEXT(XCAUSE) " 0x%lx, " CSR_TEXT(XEPC) " 0x%lx, " CSR_TEXT(XTVAL) " 0x%lx",
             (unsigned long)cause, (unsigned long)pc, (unsigned long)value);
}

typedef struct line {
    firmware *f;
    uint32_t hart, hart_id;
    const char *text;
} line;

static void print_line(uintptr_t at) {
    const line *line = (const struct line *)at;
    console_print(CONSOLE_ERROR, "hart %u: %s", (unsigned)line->hart_id, line->text);
}

static void log_line(uintptr_t at) {
    const line *line = (const struct line *)at;
    firmware_log(line->f, line->hart, "%s", line->text);
}

/* The console may be what has failed. */
static void try_line(void (*way)(uintptr_t), const line *line) {
    riscv_kick_watchdog(line->f); /* printing may take long */
    if (!riscv_succeeds(way, (uintptr_t)line))
        console_stop();
}

typedef struct failure {
    const char *why;
    uintptr_t cause, pc, value;
} failure;

/* Reports what has stopped the hart, on a dedicated stack. start.S parks any further hart that
 * fails. */
_Noreturn static void report(const uintptr_t *x, const failure *failure) {
    firmware *f = riscv_firmware();
    const uintptr_t status = csr_read(XSTATUS);
    const uint32_t own = take_hart_id(x[2]);
    riscv_allow_traps(f);
    csr_write(XTVEC, (uintptr_t)riscv_park);
    const char *why = failure->why;
    if (!f->arch.doorbell) { /* the host does not know about this firmware yet */
        console_print(CONSOLE_ERROR, "hart %u: %s", (unsigned)own, why);
        riscv_park();
    }

    store_release(&riscv_panicking, 1);
    rvl_crash *crash = &f->shared->crash;
    crash->hart_id = own;
    crash->cause = failure->cause;
    crash->pc = failure->pc;
    crash->value = failure->value;
    crash->status = status;
    for (int i = 0; i < 32; ++i)
        crash->x[i] = x[i];
    crash->callers = 0;
    describe_stack(crash, x[2]);
    const uint32_t index = index_of(f, own);
    /* Before devices are used, which may be what has failed: a hart that hangs there has left a
     * report, which the host finds when it misses the heartbeats. */
    firmware_record_crash(f, index, why);
    (void)riscv_try(wake_others, (uintptr_t)f);
    crash->time = riscv_try_time(f);
    line line = {f, index, own, why};
    try_line(print_line, &line);
    wait_for_stops(f, index);
    f->log_lock.taken = 0; /* its holder will not come back, or only late */
    try_line(log_line, &line);
    char danger[STOP_TEXT_BYTES];
    if (!riscv_stop_devices(f, danger)) {
        line.text = danger;
        try_line(print_line, &line);
        f->log_lock.taken = 0; /* of the line before, if that failed */
        try_line(log_line, &line);
    }
    firmware_publish_crash(f);
    riscv_kick_watchdog(f); /* from now on the host has the watchdog's time to read the report */
    riscv_park();
}

/* Handles a trap from the firmware's mode. */
_Noreturn void riscv_firmware_trap(const uintptr_t *x);
_Noreturn void riscv_firmware_trap(const uintptr_t *x) {
    char trap[120] = "firmware trap: ";
    failure failure = {trap, csr_read(XCAUSE), csr_read(XEPC), csr_read(XTVAL)};
    if (failure.pc == (uintptr_t)arch_panic)
        failure.why = (const char *)x[11];
    riscv_describe_trap(trap, sizeof trap, failure.cause, failure.pc, failure.value);
    if (!is_on_a_stack(x[2]))
        strcat(trap, "; its stack has overflowed");
    report(x, &failure);
}

#ifndef BOARD_SUPERVISOR
/* Handles a non-maskable interrupt, by which chips report errors of buses and memories. It may have
 * come anywhere, also in a kernel: what it interrupted can't be relied on, so all harts stop. */
_Noreturn void riscv_nmi_trap(const uintptr_t *x, uintptr_t cause, uintptr_t pc);
_Noreturn void riscv_nmi_trap(const uintptr_t *x, uintptr_t cause, uintptr_t pc) {
    char text[80];
    failure failure = {text, cause, pc, 0};
    if (pc == (uintptr_t)arch_panic)
        failure.why = (const char *)x[11];
    snprintf(text, sizeof text, "non-maskable interrupt: mncause 0x%lx, mnepc 0x%lx",
             (unsigned long)cause, (unsigned long)pc);
    report(x, &failure);
}
#endif

/* -fstack-protector-strong: a changed canary below the return address means that an array was
 * overrun. The boot hart seeds it before any function with arrays runs. */
uintptr_t __stack_chk_guard = (uintptr_t)0x6b9d2f0c5ae84713;
_Noreturn void __stack_chk_fail(void);
_Noreturn void __stack_chk_fail(void) {
    arch_panic(riscv_firmware(), "an array on the stack was overrun");
}

static uint32_t overflow_stack(uint32_t depth) {
    volatile uint32_t frame[64];
    frame[depth % 64] = depth;
    return depth == UINT32_MAX ? 0 : overflow_stack(depth + 1) + frame[depth % 64];
}

static uint32_t overrun_array(size_t bytes) {
    char array[16];
    memset(array, 0x55, bytes);
    __asm__ volatile("" ::"r"(array) : "memory");
    return (uint32_t)array[0];
}

bool arch_inject(firmware *f, uint32_t kind) {
    switch (kind) {
    case RVL_INJECT_TRAP:
        __asm__ volatile("unimp");
        return true;
    case RVL_INJECT_ASSERT:
        firmware_assert(f, kind != RVL_INJECT_ASSERT);
        return true;
    case RVL_INJECT_STACK_OVERFLOW:
        return overflow_stack(0) != 1;
    case RVL_INJECT_OVERRUN:
        return overrun_array(64) == 0;
    case RVL_INJECT_HANG:
        for (;;)
            riscv_stop_if_panicking();
    default:
        return false;
    }
}
