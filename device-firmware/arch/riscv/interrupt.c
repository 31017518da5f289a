/* SPDX-License-Identifier: Apache-2.0
 *
 * Alarms, wakeups and sleep, by the harts' timers (timer.h) and interrupts (ipi.h). */
#include <string.h>

#include "board.h"
#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/ipi.h"
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/arch/riscv/timer.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/seldom.h"
#include "device-firmware/drivers/platform.h"

enum { SPIN_US = 30, POLL_HZ = 1000 };

#ifndef BOARD_SUSPEND_AFTER_MS /* rivulet,suspend-after-ms of /chosen */
#define BOARD_SUSPEND_AFTER_MS 0
#endif

SELDOM void riscv_use_route(hart *hart, const ipi_route *own) {
    if (ipi_is_there(own) && !ipi_same_route(own, &hart->arch.route)) {
        if (!own->by_message)
            hart->arch.timer_compare = clint_compare_by_id(hart->id);
        console_print(CONSOLE_INFO,
                      "hart %u: its %s of its mhartid, not of its place in interrupts-extended",
                      (unsigned)hart->id,
                      own->by_message ? "IMSIC's page is that" : "CLINT registers are those");
    }
    hart->arch.route = *own;
}

void riscv_take_messages(hart *hart) {
    imsic_start_hart();
    hart->arch.takes_messages = true;
}

/* Cached, so that launches need not search the board's devices. */
SELDOM void riscv_take_registers(firmware *f, hart *hart) {
    (void)f;
    hart->arch.route = ipi_route_by_tree(hart->id);
    hart->arch.timer_compare = platform_timer_compare(hart->id);
}

uint64_t arch_spin_time(const firmware *f) { return SPIN_US * (f->timebase / 1000000); }

/* Zihintpause's `pause`; a hint, so it is legal on every hart. */
void arch_pause(void) { __asm__ volatile(".4byte 0x0100000f" ::: "memory"); }

static void write_timer(const firmware *f, const hart *hart, uint64_t time) {
    if (f->arch.chore_ticks && hart->index == 0 && hart->id == f->hart[0].id) {
        const uint64_t chore = arch_time(f) + f->arch.chore_ticks;
        time = time < chore ? time : chore;
    }
    if (!timer_set(f, hart, time))
        ipi_send(&hart->arch.route); /* the hart sets the alarm itself */
}

void arch_set_alarm(firmware *f, hart *hart, uint64_t time) {
    if (hart->alarm == time)
        return;
    hart->alarm = time;
    write_timer(f, hart, time);
}

void arch_interrupt(firmware *f, hart *hart) {
    (void)f;
    ipi_send(&hart->arch.route);
}

SELDOM void riscv_start_interrupts(firmware *f, hart *hart) {
    timer_start_hart(f);
    if (f->arch.doorbell->polls)
        f->arch.chore_ticks = f->timebase / POLL_HZ;
    f->suspend_ticks = f->timebase / 1000 * BOARD_SUSPEND_AFTER_MS;
    write_timer(f, hart, NEVER);
    ipi_clear(&hart->arch.route);
    if (hart->arch.route.by_message)
        riscv_take_messages(hart);
    f->arch.doorbell->start_hart(hart);
    csr_write(XIE, ipi_enable_bits(&hart->arch.route) | timer_enable_bits(f) | XIP_EXTERNAL);
}

static bool has_watchdog;

/* Hart 0 kicks the watchdog twice as often as required. */
SELDOM void riscv_start_watchdog(firmware *f) {
    const uint64_t half = f->timebase / 1000 * BOARD_WATCHDOG_MS / 2;
    if (!half)
        return;
    if (!f->arch.chore_ticks || f->arch.chore_ticks > half)
        f->arch.chore_ticks = half;
    platform_watchdog_start(BOARD_WATCHDOG_MS);
    has_watchdog = true;
    arch_interrupt(f, &f->hart[0]); /* from now on it also wakes for the watchdog */
}

static void kick_watchdog(uintptr_t unused) {
    (void)unused;
    platform_watchdog_kick();
}

SELDOM void riscv_kick_present_watchdog(const firmware *f) {
    if (has_watchdog && (load_acquire(&riscv_panicking) || riscv_hart_id() == f->hart[0].id))
        (void)riscv_try(kick_watchdog, 0);
}

SELDOM void riscv_wake_other_harts(firmware *f) {
    const uintptr_t own = riscv_hart_id();
    for (uint32_t i = 0; i < f->harts; ++i)
        if (f->hart[i].id != own)
            arch_interrupt(f, &f->hart[i]);
}

/* Ends the interrupts that are pending. */
typedef struct causes {
    bool called; /* by another hart */
    bool rung;   /* by the doorbell */
    bool timer;
} causes;

/* Claiming is output to a device and must complete before the ring, or what a hart stored before it
 * called, is read. What arrives after the claim raises another interrupt. */
static void take_messages(causes *causes) {
    for (uint32_t identity; (identity = imsic_claim()) != 0;) {
        causes->called |= identity == IMSIC_IPI;
        causes->rung |= identity == IMSIC_BELL;
    }
    __asm__ volatile("fence io, rw" ::: "memory"); /* order: imsic.claim */
}

static causes take_interrupts(const firmware *f, const hart *hart) {
    const uintptr_t pending = csr_read(XIP);
    const ipi_route *route = &hart->arch.route;
    causes causes = {.timer = pending & timer_enable_bits(f)};
    if (!route->by_message && pending & ipi_enable_bits(route)) {
        ipi_clear(route);
        causes.called = true;
    }
    if (pending & XIP_EXTERNAL && hart->arch.takes_messages)
        take_messages(&causes);
    else if (pending & XIP_EXTERNAL)
        causes.rung = true;
    return causes;
}

void arch_acknowledge_interrupts(firmware *f, hart *hart) {
    riscv_stop_if_panicking();
    const causes causes = take_interrupts(f, hart);
    if (causes.called && timer_is_own(f))
        write_timer(f, hart, hart->alarm); /* another hart may have set the alarm */
    if (causes.rung)
        f->arch.doorbell->acknowledge();
    if (f->arch.chore_ticks && hart->index == 0 && (causes.called || causes.timer)) {
        if (BOARD_WATCHDOG_MS)
            platform_watchdog_kick();
        write_timer(f, hart, hart->alarm);
    }
}

void arch_wait(firmware *f, hart *hart) {
    __asm__ volatile("fence iorw, iorw" ::: "memory"); /* order: hart.wait */
    if (BOARD_SUSPEND_AFTER_MS && hart->suspend_at == NEVER)
        riscv_suspend_hart();
    else
        __asm__ volatile("wfi" ::: "memory");
    arch_acknowledge_interrupts(f, hart);
}

void arch_clear_memory(firmware *f, hart *hart, uint64_t address, uint64_t bytes) {
    memset((void *)(uintptr_t)address, 0, (size_t)bytes);
    arch_acknowledge_interrupts(f, hart); /* for the watchdog's sake */
}

void arch_ring_host(firmware *f) { f->arch.doorbell->ring_host(); }
