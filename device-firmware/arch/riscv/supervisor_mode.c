/* SPDX-License-Identifier: Apache-2.0
 *
 * S mode above an SBI: the state of a hart, its interrupts by other harts (ipi.h) and its timer
 * (timer.h). Traps that the owner of M mode does not delegate, such as illegal instructions, it
 * passes on to S mode. */
#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/ipi.h"
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/arch/riscv/sbi.h"
#include "device-firmware/arch/riscv/timer.h"
#include "device-firmware/drivers/platform.h"

#ifdef BOARD_SUPERVISOR

/* Sets what earlier software in S mode may have left and kernels could observe. start.S sets
 * sstatus, sie and satp. */
void riscv_sanitise_hart(void) {
    csr_try_write(SSTATEEN0, 0);
    csr_clear(sip, XIP_SOFTWARE);
#if __riscv_xlen == 64
    csr_write(sstatus, (csr_read(sstatus) & ~SSTATUS_UXL) | SSTATUS_UXL_64);
#endif
}

/* Enables counters and cache-block operations for kernels, as far as M mode enables them for S
 * mode. */
void riscv_prepare_user_mode(void) {
    csr_try_write(SCOUNTEREN, 7);
    csr_try_write(SENVCFG, ENVCFG_CBCFE | ENVCFG_CBZE);
}

uintptr_t riscv_isa_register(void) { return 0; }

#ifndef BOARD_SUSPEND_TYPE /* rivulet,suspend-type of /chosen: a retentive one of the SBI */
#define BOARD_SUSPEND_TYPE 0
#endif

void riscv_suspend_hart(void) {
    if (platform_row()->suspend_hart)
        platform_row()->suspend_hart();
    else if (sbi_hart_suspend(BOARD_SUSPEND_TYPE) != SBI_SUCCESS)
        __asm__ volatile("wfi" ::: "memory");
}

void riscv_start_other_harts(const firmware *f) {
    const uint32_t own = riscv_hart_id();
    for (uint32_t i = 0; i < f->harts; ++i) {
        if (f->hart[i].id == own)
            continue;
        const intptr_t error = sbi_hart_start(f->hart[i].id, (uintptr_t)_start);
        if (error && error != SBI_ERR_ALREADY_AVAILABLE)
            console_print(CONSOLE_ERROR, "the SBI does not start hart %u: error %ld",
                          (unsigned)f->hart[i].id, (long)error);
    }
}

/* A route's address is the hart's id plus one, because 0 stands for none. */
ipi_route ipi_route_by_tree(uint32_t hart_id) { return (ipi_route){hart_id + (uintptr_t)1, false}; }
ipi_route ipi_own_route(uint32_t hart_id) { return ipi_route_by_tree(hart_id); }

void ipi_send(const ipi_route *route) {
    __asm__ volatile("fence iorw, iorw" ::: "memory");
    (void)sbi_send_ipi((uint32_t)(route->address - 1));
}

bool ipi_is_pending(const ipi_route *own) {
    (void)own;
    return csr_read(sip) & XIP_SOFTWARE;
}

void ipi_clear(const ipi_route *own) {
    (void)own;
    csr_clear(sip, XIP_SOFTWARE);
    __asm__ volatile("fence iorw, iorw" ::: "memory");
}

uintptr_t ipi_enable_bits(const ipi_route *own) {
    (void)own;
    return XIP_SOFTWARE;
}

uint64_t arch_time(const firmware *f) {
    (void)f;
    return timer_read_csr();
}

void timer_start(firmware *f) {
    uintptr_t value;
    if (!csr_try_read(0xc01, &value))
        arch_panic(f, "there is no clock: S mode can't read the CSR time");
    if (!csr_try_read(XINSTRET, &value))
        arch_panic(f, "S mode can't read the CSR instret, which counts kernels' instructions");
    f->arch.has_sstc = csr_try_read(STIMECMP, &value);
    if (!f->arch.has_sstc && !sbi_has(SBI_TIME))
        console_print(CONSOLE_ERROR,
                      "there is no timer: no TIME extension of the SBI, and no Sstc");
}

void timer_start_hart(const firmware *f) { (void)f; }

bool timer_set(const firmware *f, const hart *hart, uint64_t time) {
    if (hart->id != riscv_hart_id())
        return false;
    if (time > TIMER_LATEST)
        time = TIMER_LATEST;
    if (f->arch.has_sstc)
        timer_write_stimecmp(time);
    else
        (void)sbi_set_timer(time);
    return true;
}

uintptr_t timer_enable_bits(const firmware *f) {
    (void)f;
    return XIP_TIMER;
}
bool timer_is_own(const firmware *f) {
    (void)f;
    return true;
}
#endif
