/* SPDX-License-Identifier: Apache-2.0
 *
 * Time, timers and interrupts between harts (CLINT), and sleep. */
#include "board.h"
#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/mmio.h"
#include "device-firmware/arch/riscv/riscv.h"

enum { CLINT_MTIMECMP = 0x4000, CLINT_MTIME = 0xbff8, SPIN_US = 30 };

static uintptr_t software_interrupt(uint32_t hart_id) { return BOARD_CLINT_BASE + 4ul * hart_id; }

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

static uint64_t read_time_register(void) {
    for (;;) {
        uint32_t high = mmio_read32(BOARD_CLINT_BASE + CLINT_MTIME + 4);
        uint32_t low = mmio_read32(BOARD_CLINT_BASE + CLINT_MTIME);
        if (high == mmio_read32(BOARD_CLINT_BASE + CLINT_MTIME + 4))
            return (uint64_t)high << 32 | low;
    }
}

uint64_t arch_time(const firmware *f) {
    return f->arch.has_time_csr ? read_time_csr() : read_time_register();
}

void riscv_start_timer(firmware *f) {
    uintptr_t time;
    f->arch.has_time_csr = csr_try_read(0xc01, &time);
}

uint64_t arch_spin_time(const firmware *f) { return SPIN_US * (f->timebase / 1000000); }

/* `pause` of Zihintpause; a hint, so every hart knows it. */
void arch_pause(void) { __asm__ volatile(".4byte 0x0100000f" ::: "memory"); }

/* Centuries would do, too, but with -icount QEMU adds this time to its clock, and spins once that
 * has overflowed. */
#define DECADES (1ull << 53)

static void write_timer(uint32_t hart_id, uint64_t time) {
    if (time > DECADES)
        time = DECADES;
    uintptr_t compare = BOARD_CLINT_BASE + CLINT_MTIMECMP + 8ul * hart_id;
    mmio_write32(compare + 4, UINT32_MAX); /* never too early in between */
    mmio_write32(compare, (uint32_t)time);
    mmio_write32(compare + 4, (uint32_t)(time >> 32));
}

void arch_set_alarm(firmware *f, hart *hart, uint64_t time) {
    (void)f;
    if (hart->alarm == time)
        return;
    hart->alarm = time;
    write_timer(hart->arch.id, time);
}

void arch_interrupt(firmware *f, hart *hart) {
    (void)f;
    mmio_write32(software_interrupt(hart->arch.id), 1);
}

void riscv_clear_software_interrupt(uint32_t hart_id) {
    mmio_write32(software_interrupt(hart_id), 0);
    (void)mmio_read32(software_interrupt(hart_id)); /* what follows sees what the sender wrote */
}

void riscv_start_interrupts(firmware *f, hart *hart) {
    write_timer(hart->arch.id, NEVER);
    riscv_clear_software_interrupt(hart->arch.id);
    f->arch.doorbell->start_hart(hart);
    csr_write(mie, MIP_MSI | MIP_MTI | MIP_MEI);
}

void riscv_wake_other_harts(firmware *f) {
    const uintptr_t own = csr_read(mhartid);
    for (uint32_t i = 0; i < f->harts; ++i)
        if (f->hart[i].arch.id != own)
            arch_interrupt(f, &f->hart[i]);
}

void riscv_acknowledge_interrupts(firmware *f, hart *hart) {
    uintptr_t pending = csr_read(mip);
    if (pending & MIP_MSI)
        riscv_clear_software_interrupt(hart->arch.id);
    if (pending & MIP_MEI)
        f->arch.doorbell->acknowledge();
}

void arch_wait(firmware *f, hart *hart) {
    __asm__ volatile("fence iorw, iorw" ::: "memory"); /* order: hart.wait */
    __asm__ volatile("wfi" ::: "memory");
    riscv_acknowledge_interrupts(f, hart);
}

void arch_ring_host(firmware *f) { f->arch.doorbell->ring_host(); }
