/* SPDX-License-Identifier: Apache-2.0
 *
 * M mode's clock and timers: mtime and mtimecmp of a CLINT or an ACLINT's MTIMER, or the hart's own
 * time and stimecmp. */
#include "device-firmware/arch/riscv/timer.h"

#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/mmio.h"
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/core/seldom.h"
#include "device-firmware/drivers/platform.h"

#ifndef BOARD_SUPERVISOR
static uint64_t read_time_register(uintptr_t address) {
    for (;;) {
        uint32_t high = mmio_read32(address + 4);
        uint32_t low = mmio_read32(address);
        if (high == mmio_read32(address + 4))
            return (uint64_t)high << 32 | low;
    }
}

uint64_t arch_time(const firmware *f) {
    return f->arch.has_time_csr ? timer_read_csr() : read_time_register(f->arch.time_register);
}

SELDOM void timer_start(firmware *f) {
    uintptr_t value;
    f->arch.time_register = platform_time();
    f->arch.has_time_csr = csr_try_read(0xc01, &value);
    f->arch.has_sstc = !f->hart[0].arch.timer_compare && csr_try_read(STIMECMP, &value);
    if (!f->arch.has_time_csr && !f->arch.time_register)
        arch_panic(f, "there is no clock: no time CSR, and no mtime in the tree");
    if (!f->arch.has_sstc && !f->hart[0].arch.timer_compare)
        console_print(CONSOLE_ERROR, "there is no timer: no mtimecmp in the tree, and no Sstc");
}

SELDOM void timer_start_hart(const firmware *f) {
    if (!f->arch.has_sstc)
        return;
#if __riscv_xlen == 64
    uintptr_t config;
    if (csr_try_read(MENVCFG, &config))
        csr_try_write(MENVCFG, config | 1ul << 63); /* STCE */
#else
    csr_try_write(MENVCFGH, 1ul << 31);
#endif
}

static void write_compare(uintptr_t compare, uint64_t time) {
    mmio_write32(compare + 4, UINT32_MAX); /* must not fire early between the two stores */
    mmio_write32(compare, (uint32_t)time);
    mmio_write32(compare + 4, (uint32_t)(time >> 32));
}

bool timer_set(const firmware *f, const hart *hart, uint64_t time) {
    if (time > TIMER_LATEST)
        time = TIMER_LATEST;
    if (hart->arch.timer_compare)
        write_compare(hart->arch.timer_compare, time);
    else if (f->arch.has_sstc && hart->id != csr_read(mhartid))
        return false;
    else if (f->arch.has_sstc)      /* otherwise already reported by timer_start */
        timer_write_stimecmp(time); /* it arrives in M mode because nothing is delegated */
    return true;
}

uintptr_t timer_enable_bits(const firmware *f) { return f->arch.has_sstc ? MIP_STI : MIP_MTI; }
bool timer_is_own(const firmware *f) { return f->arch.has_sstc; }
#endif
