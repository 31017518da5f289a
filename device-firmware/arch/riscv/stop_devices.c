/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices beside the harts that access memory by themselves: fixed-function units, and behind them
 * the channels of a copy engine. The memory gets its next owner only after they have stopped. */
#include <stdio.h>
#include <string.h>

#include "device-firmware/arch/riscv/copy.h"
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/core/unit.h"

/* How long a device may go on after it was told to stop. What it has under way on the bus takes
 * microseconds; a second is below what hosts wait for. The clock may be what has failed, so looks
 * are counted, too. */
enum { PATIENCE_S = 1, MOST_LOOKS = 1 << 24 };
/* A clock that shows the same time for so many looks stands still: they are millions of
 * instructions, at least half a millisecond, and clocks have 30 ticks in that. */
enum { LOOKS_IN_A_TICK = 1 << 16 };

typedef struct attempt {
    firmware *f;
    uint32_t index;
    bool succeeds;
} attempt;

typedef struct trap {
    uintptr_t cause, pc, value; /* pc 0: none */
    uint32_t index;             /* of the device */
} trap;

static void tell(uintptr_t argument) {
    attempt *attempt = (struct attempt *)argument;
    firmware *f = attempt->f;
    const uint32_t units = unit_count(f), index = attempt->index;
    attempt->succeeds =
        index < units ? f->units[index]->stop(&f->unit_jobs[index]) : copy_stop(f, index - units);
}

/* The firmware may have failed because the device's registers can't be accessed. If a trap
 * ends the driver, `trap` describes it. Otherwise `trap` stays as it is: a non-maskable interrupt
 * may have ended the driver's first attempt and not come again. */
static bool has_stopped(firmware *f, uint32_t index, trap *trap) {
    attempt attempt = {f, index, false};
    const riscv_trial trial = riscv_try(tell, (uintptr_t)&attempt);
    if (trial.succeeds && attempt.succeeds)
        return true;
    if (!trial.succeeds)
        *trap = (struct trap){csr_read(XCAUSE), trial.pc, csr_read(XTVAL), index};
    return false;
}

/* Returns the first of the devices that goes on; `end` if none does. */
static uint32_t stop(firmware *f, uint32_t begin, uint32_t end, trap *trap) {
    uint64_t deadline = 0, before = 0;
    uint32_t looks_in_tick = 0;
    for (uint32_t looks = 0;; ++looks) {
        uint32_t going_on = end;
        for (uint32_t i = end; i-- > begin;)
            if (!has_stopped(f, i, trap))
                going_on = i;
        if (going_on == end)
            return end;
        riscv_kick_watchdog(f);
        const uint64_t now = riscv_try_time(f); /* all have been told before */
        if (!looks)
            deadline = now > UINT64_MAX - PATIENCE_S * f->timebase /* it reads all ones */
                           ? UINT64_MAX
                           : now + PATIENCE_S * f->timebase;
        looks_in_tick = now == before ? looks_in_tick + 1 : 0;
        before = now;
        if (now > deadline || looks_in_tick == LOOKS_IN_A_TICK || looks == MOST_LOOKS)
            return going_on;
        arch_pause();
    }
}

static bool stop_or_describe(firmware *f, uint32_t begin, uint32_t end, char *text) {
    trap trap = {0};
    const uint32_t units = unit_count(f), index = stop(f, begin, end, &trap);
    if (index == end)
        return true;
    if (index < units)
        snprintf(text, STOP_TEXT_BYTES, "can't stop unit 0x%x", (unsigned)f->units[index]->id);
    else
        copy_describe(index - units, text);
    char cause[90] = ": ";
    const bool has_trapped = trap.pc && trap.index == index;
    if (has_trapped)
        riscv_describe_trap(cause, sizeof cause, trap.cause, trap.pc, trap.value);
    const size_t length = strlen(text);
    snprintf(text + length, STOP_TEXT_BYTES - length, "%s; it may write to any memory",
             has_trapped ? cause : "");
    return false;
}

static void stop_or_fail(firmware *f, uint32_t index) {
    char text[STOP_TEXT_BYTES];
    if (!stop_or_describe(f, index, index + 1, text))
        arch_panic(f, text);
}

void arch_stop_unit(firmware *f, uint32_t unit) { stop_or_fail(f, unit); }

/* A hart that was busy when another one failed, and has stopped all units, may have started its own
 * one since. */
void riscv_stop_own_unit(firmware *f, const hart *hart) {
    trap trap;
    if (unit_count(f) && hart->launch && hart->launch->unit)
        (void)stop(f, hart->launch->unit - 1u, hart->launch->unit, &trap);
}

void riscv_stop_channel(firmware *f, uint32_t channel) { stop_or_fail(f, unit_count(f) + channel); }

bool riscv_stop_devices(firmware *f, char *text) {
    __asm__ volatile("fence iorw, iorw" ::: "memory"); /* copy_call: riscv_panicking first */
    return stop_or_describe(f, 0, unit_count(f) + copy_channels(), text);
}
