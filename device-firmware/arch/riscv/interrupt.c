/* SPDX-License-Identifier: Apache-2.0
 *
 * Time, timers, inter-hart interrupts, and sleep. */
#include <string.h>

#include "board.h"
#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/mmio.h"
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/drivers/platform.h"

enum { SPIN_US = 30, POLL_HZ = 1000 };

#ifndef BOARD_WATCHDOG_MS /* rivulet,watchdog-ms of /chosen */
#define BOARD_WATCHDOG_MS 0
#endif

static uint64_t read_time_csr(void) {
#if __riscv_xlen == 64
    return csr_read(time);
#else
    for (;;) {
        uint32_t high = csr_read(timeh), low = csr_read(time);
        if (high == csr_read(timeh))
            return (uint64_t)high << 32 | low;
    }
#endif
}

static uint64_t read_time_register(uintptr_t address) {
    for (;;) {
        uint32_t high = mmio_read32(address + 4);
        uint32_t low = mmio_read32(address);
        if (high == mmio_read32(address + 4))
            return (uint64_t)high << 32 | low;
    }
}

uint64_t arch_time(const firmware *f) {
    return f->arch.has_time_csr ? read_time_csr() : read_time_register(f->arch.time_register);
}

static void set(uintptr_t software_interrupt, uint32_t value) {
    mmio_write32(software_interrupt, value);
    (void)mmio_read32(software_interrupt); /* the read returns after the write has arrived, and
                                            * what follows sees what a sender wrote */
}

static bool becomes_pending(bool wanted) {
    enum { LOOKS = 200 }; /* the signal takes time to travel from the register to the hart */
    for (uint32_t look = 0; look < LOOKS; ++look)
        if (((csr_read(mip) & MIP_MSI) != 0) == wanted)
            return true;
    return false;
}

/* True if setting the register raises this hart's software interrupt and clearing it ends it.
 * Another hart's register is left set: its owner may be waiting for it, and a spurious wakeup
 * does no harm. */
static bool is_own(uintptr_t software_interrupt) {
    enum { TRIES = 8 }; /* other harts may write to it concurrently */
    for (uint32_t try = 0; software_interrupt && try < TRIES; ++try) {
        set(software_interrupt, 1);
        if (!becomes_pending(true))
            return false;
        set(software_interrupt, 0);
        if (becomes_pending(false))
            return true;
        set(software_interrupt, 1);
        arch_pause();
    }
    return false;
}

/* Device trees disagree on the order of CLINT registers when they leave out harts, so try both. */
uintptr_t riscv_own_software_interrupt(uint32_t hart_id) {
    const uintptr_t by_tree = platform_software_interrupt(hart_id);
    const uintptr_t by_id = clint_software_interrupt_by_id(hart_id);
    return is_own(by_tree) ? by_tree : is_own(by_id) ? by_id : 0;
}

void riscv_use_software_interrupt(hart *hart, uintptr_t own) {
    if (own && own != hart->arch.software_interrupt) {
        hart->arch.timer_compare = clint_compare_by_id(hart->id);
        console_print(CONSOLE_INFO,
                      "hart %u: its CLINT registers are those of its mhartid, not of its place in "
                      "interrupts-extended",
                      (unsigned)hart->id);
    }
    hart->arch.software_interrupt = own;
}

/* Cached, so that launches need not search the board's devices. */
void riscv_take_registers(firmware *f, hart *hart) {
    (void)f;
    hart->arch.software_interrupt = platform_software_interrupt(hart->id);
    hart->arch.timer_compare = platform_timer_compare(hart->id);
}

void riscv_start_timer(firmware *f) {
    uintptr_t value;
    f->arch.time_register = platform_time();
    f->arch.has_time_csr = csr_try_read(0xc01, &value);
    f->arch.has_sstc = !f->hart[0].arch.timer_compare && csr_try_read(STIMECMP, &value);
    if (!f->arch.has_time_csr && !f->arch.time_register)
        arch_panic(f, "there is no clock: no time CSR, and no mtime in the tree");
    if (!f->arch.has_sstc && !f->hart[0].arch.timer_compare)
        console_print(CONSOLE_ERROR, "there is no timer: no mtimecmp in the tree, and no Sstc");
}

uint64_t arch_spin_time(const firmware *f) { return SPIN_US * (f->timebase / 1000000); }

/* Zihintpause's `pause`; a hint, so it is legal on every hart. */
void arch_pause(void) { __asm__ volatile(".4byte 0x0100000f" ::: "memory"); }

/* Effectively never. Not larger, because with -icount QEMU adds this time to its clock and spins
 * once that has overflowed. */
#define DECADES (1ull << 53)

/* Sstc: nominally S mode's interrupt; it arrives in M mode because nothing is delegated. */
static void write_stimecmp(uint64_t time) {
#if __riscv_xlen == 64
    csr_write_number(STIMECMP, time);
#else
    csr_write_number(STIMECMP, UINT32_MAX);
    csr_write_number(STIMECMPH, (uint32_t)(time >> 32));
    csr_write_number(STIMECMP, (uint32_t)time);
#endif
}

static void write_compare(uintptr_t compare, uint64_t time) {
    mmio_write32(compare + 4, UINT32_MAX); /* must not fire early between the two stores */
    mmio_write32(compare, (uint32_t)time);
    mmio_write32(compare + 4, (uint32_t)(time >> 32));
}

static void write_timer(const firmware *f, const hart *hart, uint64_t time) {
    if (f->arch.chore_ticks && hart->index == 0 && hart->id == f->hart[0].id) {
        const uint64_t chore = arch_time(f) + f->arch.chore_ticks;
        time = time < chore ? time : chore;
    }
    if (time > DECADES)
        time = DECADES;
    if (hart->arch.timer_compare)
        write_compare(hart->arch.timer_compare, time);
    else if (!f->arch.has_sstc)
        return; /* already reported by riscv_start_timer */
    else if (hart->id == csr_read(mhartid))
        write_stimecmp(time);
    else
        /* arch_interrupt sets the alarm itself */
        arch_interrupt(hart->firmware, (struct hart *)hart);
}

void arch_set_alarm(firmware *f, hart *hart, uint64_t time) {
    if (hart->alarm == time)
        return;
    hart->alarm = time;
    write_timer(f, hart, time);
}

void arch_interrupt(firmware *f, hart *hart) {
    (void)f;
    if (hart->arch.software_interrupt)
        mmio_write32(hart->arch.software_interrupt, 1);
}

void riscv_clear_software_interrupt(uintptr_t software_interrupt) {
    if (software_interrupt)
        set(software_interrupt, 0);
}

void riscv_start_interrupts(firmware *f, hart *hart) {
    uintptr_t timer = MIP_MTI;
    if (f->arch.has_sstc) {
        timer = MIP_STI;
#if __riscv_xlen == 64
        uintptr_t config;
        if (csr_try_read(MENVCFG, &config))
            csr_try_write(MENVCFG, config | 1ul << 63); /* STCE */
#else
        csr_try_write(MENVCFGH, 1ul << 31);
#endif
    }
    if (f->arch.doorbell->polls)
        f->arch.chore_ticks = f->timebase / POLL_HZ;
    write_timer(f, hart, NEVER);
    riscv_clear_software_interrupt(hart->arch.software_interrupt);
    f->arch.doorbell->start_hart(hart);
    csr_write(mie, MIP_MSI | timer | MIP_MEI);
}

/* Hart 0 kicks the watchdog twice as often as required. */
void riscv_start_watchdog(firmware *f) {
    const uint64_t half = f->timebase / 1000 * BOARD_WATCHDOG_MS / 2;
    if (!half)
        return;
    if (!f->arch.chore_ticks || f->arch.chore_ticks > half)
        f->arch.chore_ticks = half;
    platform_watchdog_start(BOARD_WATCHDOG_MS);
    arch_interrupt(f, &f->hart[0]); /* from now on it also wakes for the watchdog */
}

void riscv_wake_other_harts(firmware *f) {
    const uintptr_t own = csr_read(mhartid);
    for (uint32_t i = 0; i < f->harts; ++i)
        if (f->hart[i].id != own)
            arch_interrupt(f, &f->hart[i]);
}

void riscv_acknowledge_interrupts(firmware *f, hart *hart) {
    riscv_stop_if_panicking();
    uintptr_t pending = csr_read(mip);
    if (pending & MIP_MSI) {
        riscv_clear_software_interrupt(hart->arch.software_interrupt);
        if (f->arch.has_sstc)
            write_timer(f, hart, hart->alarm); /* another hart may have set the alarm */
    }
    if (pending & MIP_MEI)
        f->arch.doorbell->acknowledge();
    if (f->arch.chore_ticks && hart->index == 0 && pending & (MIP_MSI | MIP_MTI | MIP_STI)) {
        if (BOARD_WATCHDOG_MS)
            platform_watchdog_kick();
        write_timer(f, hart, hart->alarm);
    }
}

void arch_wait(firmware *f, hart *hart) {
    __asm__ volatile("fence iorw, iorw" ::: "memory"); /* order: hart.wait */
    __asm__ volatile("wfi" ::: "memory");
    riscv_acknowledge_interrupts(f, hart);
}

void arch_clear_memory(firmware *f, hart *hart, uint64_t address, uint64_t bytes) {
    memset((void *)(uintptr_t)address, 0, (size_t)bytes);
    riscv_acknowledge_interrupts(f, hart); /* for the watchdog's sake */
}

void arch_ring_host(firmware *f) { f->arch.doorbell->ring_host(); }
